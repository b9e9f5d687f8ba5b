import { type IncomingMessage, type ServerResponse } from 'node:http';
import { generateKeyPairSync } from 'node:crypto';
// @ts-expect-error it comes without types
import { Provider } from 'oidc-provider';
import { CLIENT_ID } from '../fakes.js';
import { type Dialect } from './dialects.js';

/** The operations of one provider that its token endpoint, its API and tests use. */
export interface Issuer {
  handle(request: IncomingMessage, response: ServerResponse): void;
  interaction(request: IncomingMessage, response: ServerResponse, isAllowed: boolean): Promise<void>;
  /** Returns the scope of a valid token. */
  scopeOf(accessToken: string): Promise<string | undefined>;
  wasOffline(code: string): boolean;
  /** Revokes the whole grant of a token. */
  revoke(token: string): Promise<void>;
  /** Revokes all grants, like a user on the provider's settings page. */
  revokeAll(): Promise<void>;
}

interface IssuerOptions {
  url: string;
  secret: string;
  dialect: Dialect;
  /** Returns the lifetime of access tokens in seconds. */
  lifetime(): number;
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const JWKS = { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'k', use: 'sig', alg: 'RS256' }] };
const MONTH = 30 * 86_400;

/** Creates a real OAuth server with one client. It requests consent from each user once. */
export function issuer({ url, secret, dialect, lifetime }: IssuerOptions): Issuer {
  const { pkce = false, rotates = false, refreshes = false, offlineWhen = {} } = dialect;
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: secret,
        redirect_uris: ['https://app.example/connect/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: dialect.needsBasic ? 'client_secret_basic' : 'client_secret_post',
      },
    ],
    scopes: ['read', 'write'],
    extraParams: Object.keys(offlineWhen),
    cookies: { keys: ['k'] },
    jwks: JWKS,
    pkce: { required: () => pkce },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    rotateRefreshToken: rotates,
    issueRefreshToken: async () => refreshes,
    expiresWithSession: async () => false,
    ttl: {
      AccessToken: lifetime,
      AuthorizationCode: 60,
      Grant: MONTH,
      RefreshToken: MONTH,
      Session: MONTH,
      Interaction: 600,
    },
    findAccount: async (_context: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId }),
    }),
    loadExistingGrant: grantAll,
    interactions: {
      url: (_context: unknown, { uid }: { uid: string }) => `${new URL(url).pathname}/interaction/${uid}`,
    },
  });
  // The product's redirect URI is not known until the product listens.
  provider.Client.prototype.redirectUriAllowed = () => true;
  const [grants, offline] = [new Set<string>(), new Set<string>()];
  provider.on('authorization.success', ({ oidc }: Context, { code }: { code: string }) => {
    if (Object.entries(offlineWhen).every(([name, value]) => oidc.params[name] === value)) offline.add(code);
    grants.add(oidc.entities.Grant.jti);
  });
  const revokeGrant = async (id: string): Promise<void> => {
    await provider.AccessToken.revokeByGrantId(id);
    await provider.RefreshToken.revokeByGrantId(id);
  };
  const answer = provider.callback();
  return {
    handle: (request, response) => void answer(request, response),
    interaction: (request, response, isAllowed) => {
      const denied = { error: 'access_denied', error_description: 'The person said no' };
      return provider.interactionFinished(
        request,
        response,
        isAllowed ? { login: { accountId: 'ann' }, consent: {} } : denied,
      );
    },
    scopeOf: async (accessToken) => {
      const found = await provider.AccessToken.find(accessToken);
      return found && !found.isExpired ? (found.scope ?? '') : undefined;
    },
    wasOffline: (code) => offline.has(code),
    async revoke(token) {
      const found = (await provider.AccessToken.find(token)) ?? (await provider.RefreshToken.find(token));
      if (found) await revokeGrant(found.grantId);
    },
    revokeAll: async () => void (await Promise.all([...grants].map(revokeGrant))),
  };
}

interface Context {
  oidc: {
    provider: { Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> } };
    client: { clientId: string };
    session: { accountId?: string };
    params: Record<string, string | undefined>;
    entities: { Grant: { jti: string } };
  };
}

async function grantAll({ oidc }: Context) {
  const { accountId } = oidc.session;
  if (!accountId) return undefined;
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId });
  grant.addOIDCScope(oidc.params['scope'] ?? '');
  await grant.save();
  return grant;
}
