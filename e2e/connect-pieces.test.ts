// Shapes: none; in full: local
import { createHash } from 'node:crypto';
import { type FakeProvider, fakeProvider, type Product, type RecordedRequest } from '@drawbridge/testkit';
import { type Api, apiOf } from './support/api.js';
import { visit } from './support/connect.js';
import { rowsOf } from './support/database.js';
import { fresh } from './support/owned-resources.js';
import { ownProduct } from './support/own-product.js';
import { OAUTH_PROVIDERS, type OAuthProvider } from './support/vendors/oauth-providers.js';

const APP = { clientId: 'client+1', clientSecret: 'app secret:1' };
const NAMES = Object.keys(OAUTH_PROVIDERS);

let provider: FakeProvider;
let product: Product;
let api: Api;
let workspaceId: string;

beforeAll(async () => {
  provider = await fakeProvider();
  const origins = [...new Set(Object.values(OAUTH_PROVIDERS).flatMap((one) => one.origins))];
  product = await ownProduct({
    env: {
      ORIGIN_MAP: JSON.stringify(Object.fromEntries(origins.map((origin) => [origin, provider.url]))),
      OAUTH_APPS: JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, APP]))),
      PUBLIC_RATE_LIMIT: 'null',
    },
  });
  api = apiOf(product.baseUrl, product.key);
  workspaceId = (await api.post('/api/v1/workspaces', { name: 'Pieces', slug: fresh() })).body.workspace.id;
});
afterAll(async () => {
  await product?.stop();
  await provider?.stop();
});
beforeEach(() => provider.reset());

it('has a provider for each piece with OAuth', async () => {
  const { integrations } = (await api.get('/api/v1/integrations?summary=true')).body;
  const withOAuth = integrations.filter(({ auth }: any) => auth?.types.includes('OAUTH2'));
  const names = withOAuth.map(({ name }: any) => name).filter((name: string) => name !== 'http');
  expect(names.sort()).toEqual([...NAMES].sort());
});

it.each(NAMES)('%s connects through the page as its provider documents it', async (name) => {
  const its = OAUTH_PROVIDERS[name]!;
  const externalId = fresh();
  const facts = { integrationName: name, connectionName: 'Mine', externalId, workspaceId };
  const opened = { externalId, ...(await api.post('/api/v1/connect/token', facts)).body };
  const web = await visit(product.baseUrl, opened);
  const path = `/connect/${opened.sessionId}`;
  const fields = Object.entries(its.account ?? {}).map(([key, value]) => [`field.${key}`, value]);
  const shown = await web.post(`${path}/authorize`, Object.fromEntries(fields));
  const there = new URL(shown.headers.get('refresh')!.replace('0; url=', ''));

  const asked = Object.fromEntries(there.searchParams);
  expect(there.pathname).toBe(its.authorize);
  expect(/\S,\S/.test(asked['scope'] ?? '')).toBe(its.commas ?? false);
  expect(asked).toMatchObject({ response_type: 'code', client_id: APP.clientId, ...its.params });
  expect(
    its.pkce ? [asked['code_challenge_method'], asked['code_challenge']?.length] : [asked['code_challenge']],
  ).toEqual(its.pkce ? ['S256', 43] : [undefined]);

  const code = fresh();
  openAccount(its, { code, redirectUri: asked['redirect_uri']!, challenge: asked['code_challenge'] });
  const back = new URLSearchParams({ code, state: asked['state']!, ...its.back });
  expect(await web.get(`/connect/callback?${back}`)).toMatchObject({ status: 303, to: path });
  const { session } = (await api.get(`/api/v1/connect/session/${opened.sessionId}`)).body;
  expect(session).toMatchObject({ status: 'COMPLETED', error: null, connectionId: expect.any(String) });
  if (its.label) expect((await web.get(path)).text).toContain(`Connected as ${its.label}`);
  const [row] = await rowsOf(product.databaseUrl, 'SELECT status FROM connections.connections WHERE external_id = $1', [
    externalId,
  ]);
  expect(row).toMatchObject({ status: 'ACTIVE' });
  const lines = provider.requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`);
  expect(lines).toEqual([`POST ${its.token}`, ...Object.keys(its.account_requests ?? {})]);
});

interface Grant {
  code: string;
  redirectUri: string;
  challenge: string | undefined;
}

/** Fakes a provider: responds to the token request with the code, and to the account requests with the issued access token. */
function openAccount(its: OAuthProvider, grant: Grant): void {
  const { token_type = 'bearer', ...more } = its.grants as { token_type?: string };
  provider.on(`POST ${its.token}`, (request) => {
    const problem = problemOf(request, its, grant);
    // The fake uses status 400 for every provider. Slack reports failures with `ok: false`, and like GitHub with status 200.
    return problem
      ? { status: 400, body: { ok: false, error: 'invalid_request', error_description: problem } }
      : { body: { access_token: 'access-1', token_type, ...more } };
  });
  for (const [route, body] of Object.entries(its.account_requests ?? {})) {
    provider.on(route, ({ headers }) =>
      /\baccess-1$/.test(headers['authorization'] ?? headers['x-shopify-access-token'] ?? '')
        ? { body }
        : { status: 401, body: { message: 'no token' } },
    );
  }
}

/** Returns the problem with the exchange of a code according to the provider's rules (RFC 6749, section 4.1.3, and RFC 7636), or undefined. */
function problemOf(request: RecordedRequest, its: OAuthProvider, grant: Grant): string | undefined {
  const { headers, text, body } = request;
  const isJson = its.body === 'json';
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  if (!headers['content-type']?.startsWith(type)) return `content-type ${headers['content-type']}`;
  if (!headers['accept']?.includes('application/json')) return `accept ${headers['accept']}`;
  const sent: Record<string, string> = isJson ? body : Object.fromEntries(new URLSearchParams(text));
  const basic = `Basic ${btoa(`${encodeURIComponent(APP.clientId)}:${encodeURIComponent(APP.clientSecret)}`)}`;
  const isBasic = its.client === 'basic';
  if (headers['authorization'] !== (isBasic ? basic : undefined)) return `authorization ${headers['authorization']}`;
  if (sent['client_secret'] !== (isBasic ? undefined : APP.clientSecret)) return `secret ${sent['client_secret']}`;
  if (!isBasic && sent['client_id'] !== APP.clientId) return `client_id ${sent['client_id']}`;
  if (sent['grant_type'] !== 'authorization_code' || sent['code'] !== grant.code) return `code ${sent['code']}`;
  if (sent['redirect_uri'] !== grant.redirectUri) return `redirect_uri ${sent['redirect_uri']}`;
  const verified = createHash('sha256')
    .update(sent['code_verifier'] ?? '')
    .digest('base64url');
  return grant.challenge === undefined || verified === grant.challenge ? undefined : 'code_verifier';
}
