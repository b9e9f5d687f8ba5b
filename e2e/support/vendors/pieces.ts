import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Vendor, VENDORS } from './dialects.js';
import { CLIENT_ID } from './issuer.js';

/** The OAuth2 settings of each piece, without the URLs. */
const OAUTH2: Record<Vendor, object> = {
  plain: { pkce: true },
  github: {
    refresh: 'none',
    scopeSeparator: ',',
    revoke: { method: 'DELETE', token: 'access', tokenParam: 'access_token', body: 'json', as: 'client-basic' },
  },
  slack: {
    refresh: 'rotating',
    scopeSeparator: ',',
    scopeParam: 'user_scope',
    tokenAt: 'authed_user',
    failedWhen: { key: 'ok', value: false },
    grantRefusedWhen: ['invalid_refresh_token'],
    keep: { teamId: 'team.id', userId: 'authed_user.id' },
  },
  google: { authParams: { access_type: 'offline', prompt: 'consent' } },
  notion: {
    refresh: 'none',
    clientAuth: 'basic',
    tokenBody: 'json',
    keep: { workspaceId: 'workspace_id', botId: 'bot_id' },
  },
  hubspot: { keep: { portalId: 'hub_id' } },
  salesforce: { pkce: true, keep: { instanceUrl: 'instance_url' } },
  atlassian: {
    refresh: 'rotating',
    tokenBody: 'json',
    authParams: { audience: 'api.atlassian.com', prompt: 'consent' },
  },
};

/** Returns the name of a provider's integration. */
export const pieceOf = (vendor: Vendor): string => `test-${vendor}`;

/** Writes a piece for each provider to INTEGRATIONS_DIR. Its only action, `whoami`, needs a valid token. */
export function writePieces(folder: string, url: string): void {
  for (const vendor of VENDORS) writeFileSync(join(folder, `${pieceOf(vendor)}.mjs`), textOf(vendor, url));
}

/** Returns the value of OAUTH_APPS for all providers. */
export function appsOf(secret: string): Record<string, { clientId: string; clientSecret: string }> {
  return Object.fromEntries(VENDORS.map((vendor) => [pieceOf(vendor), { clientId: CLIENT_ID, clientSecret: secret }]));
}

function textOf(vendor: Vendor, url: string): string {
  const at = `${url}/${vendor}`;
  const { revoke = {}, ...own } = OAUTH2[vendor] as { revoke?: object };
  const revokeUrl = vendor === 'github' ? `${at}/applications/${CLIENT_ID}/grant` : `${at}/revoke`;
  const oauth2 = {
    authUrl: `${at}/auth`,
    tokenUrl: `${at}/token`,
    issuer: at,
    scopes: ['read', 'write'],
    revoke: { url: revokeUrl, ...revoke },
    ...own,
  };
  const name = JSON.stringify(pieceOf(vendor));
  return `export default ({ piece, action, authorizationHeader }) => piece({
  name: ${name}, displayName: ${JSON.stringify(titleOf(vendor))}, description: 'A vendor of the tests.', categories: ['CORE'],
  origin: ${JSON.stringify(url)},
  auth: { types: ['OAUTH2'], required: true, oauth2: ${JSON.stringify(oauth2)} },
  http: { authorize: authorizationHeader },
  actions: {
    whoami: action({ displayName: 'Who am I', description: 'Returns the user of the token.', category: 'read', props: {},
      call: { method: 'GET', path: '/${vendor}/api/me' } }),
  },
});
`;
}

const titleOf = (vendor: Vendor): string => `Test ${vendor.charAt(0).toUpperCase()}${vendor.slice(1)}`;
