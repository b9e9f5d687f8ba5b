import { type OAuth2Provider } from '@drawbridge/piece-kit';
import { authorizationUrl, judgeCallback } from './authorization.js';

const PROVIDER: OAuth2Provider = {
  authUrl: 'https://p.example/authorize?owner=user',
  tokenUrl: 'https://p.example/t',
  scopes: ['a', 'b'],
};
const APP = { id: null, clientId: 'client', clientSecret: 'secret' };
const ASKED = { redirectUri: 'https://us.example/back', state: 'state', at: (url: URL) => url };

async function asked(fields: Partial<OAuth2Provider> = {}, more: object = {}): Promise<Record<string, string>> {
  const { scopes, ...ours } = { scopes: undefined, ...more } as { scopes?: string[] };
  const url = await authorizationUrl({ ...PROVIDER, ...fields }, { ...APP, scopes }, { ...ASKED, ...ours });
  return Object.fromEntries(url.searchParams);
}

it('sends a request as in RFC 6749, and keeps the query of the URL', async () => {
  expect(await asked()).toEqual({
    owner: 'user',
    response_type: 'code',
    client_id: 'client',
    redirect_uri: 'https://us.example/back',
    scope: 'a b',
    state: 'state',
  });
});

it('asks in the provider’s way, and for the scopes of the app', async () => {
  const ways = {
    scopeSeparator: ',',
    scopeParam: 'user_scope',
    authParams: { access_type: 'offline', state: 'x' },
  } as const;
  expect(await asked(ways, { scopes: ['x', 'y'] })).toMatchObject({
    user_scope: 'x,y',
    access_type: 'offline',
    state: 'state',
  });
  expect(await asked({ scopes: [] })).not.toHaveProperty('scope');
});

it('sends a challenge for its verifier', async () => {
  const codeVerifier = 'v'.repeat(43);
  const sent = await asked({ pkce: true }, { codeVerifier });
  expect(sent).toMatchObject({ code_challenge: expect.stringMatching(/^[\w-]{43}$/), code_challenge_method: 'S256' });
  expect(JSON.stringify(sent)).not.toContain(codeVerifier);
});

const judge = (query: string, fields: Partial<OAuth2Provider> = {}): string | null =>
  judgeCallback({ ...PROVIDER, ...fields }, APP, { parameters: new URLSearchParams(query), state: 'state' }).get(
    'code',
  );

it.each<[string, string, Partial<OAuth2Provider>]>([
  ['a code', 'code=c&state=state', {}],
  ['who says to be at the origin that was asked', 'code=c&state=state&iss=https://p.example/tenant', {}],
  ['who is who was declared', 'code=c&state=state&iss=https://id.example', { issuer: 'https://id.example' }],
])('takes %s', (_, query, fields) => {
  expect(judge(query, fields)).toBe('c');
});

it.each<[string, string, string]>([
  ['another state', 'code=c&state=other', 'invalid_state'],
  ['no state', 'code=c', 'invalid_state'],
  ['two states', 'code=c&state=state&state=state', 'invalid_response'],
  ['two codes', 'code=c&code=d&state=state', 'invalid_response'],
  ['no code', 'state=state', 'invalid_response'],
  ['another issuer', 'code=c&state=state&iss=https://evil.example', 'invalid_issuer'],
  ['a denial', 'error=access_denied&state=state', 'access_denied'],
  ['a failure of the provider', 'error=server_error&error_description=Later&state=state', 'server_error'],
])('refuses %s', (_, query, code) => {
  expect(() => judge(query)).toThrow(expect.objectContaining({ name: 'OAuthRefusal', code }));
});
