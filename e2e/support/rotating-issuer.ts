import { type FakeProvider, type ProviderBehaviour, type RecordedRequest } from '@drawbridge/testkit';

/** Fakes https://github.com and https://api.github.com for GitHub Apps: access tokens expire, and refresh tokens work once. */
export interface RotatingIssuer {
  /** Creates a grant: a new token family. */
  grant(): { accessToken: string; refreshToken: string };
  /** The refresh tokens that the token endpoint received. */
  refreshes: string[];
  /** The refresh tokens that were used twice. Reuse revokes the whole token family. */
  reused: string[];
  /** Expires all existing access tokens. */
  endTokens(): void;
  /** Sets the response of the token endpoint. Undefined restores token responses. */
  answerRefresh(behaviour: ProviderBehaviour | undefined): void;
  /** Delays the responses of the token endpoint, by milliseconds or until a promise resolves. */
  slow(behaviour: Pick<ProviderBehaviour, 'delay' | 'until'>): void;
  /** Rejects all access tokens. */
  refuseAll(): void;
  /** The authenticated clients: `client_id:client_secret`. */
  clients: string[];
}

const CLIENT_REFUSED = { error: 'bad_refresh_token', error_description: 'The refresh token is incorrect or expired.' };

export function rotatingIssuer(provider: FakeProvider): RotatingIssuer {
  const live = new Map<string, { family: number; generation: number }>();
  const [revoked, current] = [new Set<number>(), new Map<number, string>()];
  let [families, slow, isRefusing]: [number, Pick<ProviderBehaviour, 'delay' | 'until'>, boolean] = [0, {}, false];
  let answer: ProviderBehaviour | undefined;
  const issued = (family: number, generation: number) => {
    const [accessToken, refreshToken] = ['ghu', 'ghr'].map(
      (kind) => `${kind}_${process.pid}_${family}_${generation}`,
    ) as [string, string];
    live.set(accessToken, { family, generation });
    current.set(family, refreshToken);
    return { accessToken, refreshToken };
  };

  const issuer: RotatingIssuer = {
    grant: () => issued(++families, 0),
    refreshes: [],
    reused: [],
    clients: [],
    endTokens: () => live.clear(),
    answerRefresh: (behaviour) => (answer = behaviour),
    slow: (behaviour) => (slow = behaviour),
    refuseAll: () => (isRefusing = true),
  };

  const refresh = (request: RecordedRequest): ProviderBehaviour => {
    const form = new URLSearchParams(request.text);
    const token = form.get('refresh_token') ?? '';
    issuer.refreshes.push(token);
    issuer.clients.push(`${form.get('client_id')}:${form.get('client_secret')}`);
    if (answer) return { ...slow, ...answer };
    const [, , family, generation] = token.split('_').map(Number) as [number, number, number, number];
    if (current.get(family) !== token) {
      issuer.reused.push(token);
      revoked.add(family);
    }
    if (revoked.has(family)) return { ...slow, body: CLIENT_REFUSED };
    const { accessToken, refreshToken } = issued(family, generation + 1);
    const body = {
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: 28_800,
      token_type: 'bearer',
      scope: '',
    };
    return { ...slow, body };
  };
  provider.on('POST /login/oauth/access_token', refresh);
  const ifGood =
    (reply: (request: RecordedRequest) => ProviderBehaviour) =>
    (request: RecordedRequest): ProviderBehaviour => {
      const known = live.get(String(request.headers['authorization']).replace('Bearer ', ''));
      const isGood = known !== undefined && !revoked.has(known.family) && !isRefusing;
      return isGood ? reply(request) : { status: 401, body: { message: 'Bad credentials' } };
    };
  const created = ({ body }: RecordedRequest): ProviderBehaviour => ({ status: 201, body: { title: body.title } });
  provider.on('POST /repos/acme/app/issues', ifGood(created));
  provider.on(
    'GET /repos/acme/app/labels',
    ifGood(() => ({ body: [{ name: 'bug' }] })),
  );
  return issuer;
}
