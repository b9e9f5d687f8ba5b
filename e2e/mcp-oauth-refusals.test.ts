// Shapes: local
import { type Drawbridge } from './support/drawbridge.js';
import { UNKNOWN_ID } from './support/expect.js';
import { MCP_SERVERS, newServer } from './support/mcp-servers.js';
import { REDIRECT, register } from './support/oauth.js';
import { expectNoSecret, rowsOfServer, sayYes, type Scene, sharedStage, type Stage } from './support/oauth-stage.js';
import { webOf } from './support/web.js';

let product: Drawbridge;
let stage: Stage;
let scene: Scene;

beforeAll(async () => void ({ product, stage, scene } = await sharedStage()));
afterEach(async () => expect(await rowsOfServer(stage, scene)).toEqual({ grants: 0, tokens: 0 }));

/** Expects an error in the redirect to the client without a consent page, for anonymous and signed-in users. */
async function expectRedirected(query: string, error: string): Promise<void> {
  for (const shown of [await webOf(product.baseUrl).get(`/oauth/authorize?${query}`), await sayYes(stage.web, query)]) {
    expect([shown.status, shown.to?.split('?')[0]]).toEqual([303, REDIRECT]);
    const params = new URL(shown.to!).searchParams;
    expect([params.get('error'), params.get('state'), params.get('iss')]).toEqual([error, 's', product.baseUrl]);
    expectNoSecret(shown);
  }
}

/** Expects an error page without a redirect, because the client is not verified. */
async function expectShown(query: string): Promise<void> {
  for (const shown of [await stage.web.get(`/oauth/authorize?${query}`), await sayYes(stage.web, query)]) {
    expect([shown.status, shown.to]).toEqual([400, null]);
    expectNoSecret(shown);
  }
}

type Changes = Record<string, string | undefined>;

describe('a client receives an error for', () => {
  it.each<[string, Changes, string]>([
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['an empty challenge', { code_challenge: '' }, 'invalid_request'],
    ['a challenge that is not SHA-256', { code_challenge: 'a'.repeat(42) }, 'invalid_request'],
    ['a challenge with padding', { code_challenge: `${'a'.repeat(43)}=` }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without a method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a method in another case', { code_challenge_method: 's256' }, 'invalid_request'],
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['the response type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['the response type code token', { response_type: 'code token' }, 'unsupported_response_type'],
    ['the response type code id_token', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['the response mode fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['the response mode form_post', { response_mode: 'form_post' }, 'invalid_request'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['a request URI', { request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
    ['the prompt none', { prompt: 'none' }, 'login_required'],
    ['no resource', { resource: undefined }, 'invalid_target'],
    ['a resource of another site', { resource: `https://elsewhere.example/mcp/srv_${UNKNOWN_ID}` }, 'invalid_target'],
    ['a resource that is not a URL', { resource: UNKNOWN_ID }, 'invalid_target'],
    ['only unknown scopes', { scope: 'admin openid' }, 'invalid_scope'],
    ['scopes that the server lacks', { scope: 'mcp:code' }, 'invalid_scope'],
  ])('%s', (_, changes, error) => expectRedirected(scene.its.query(changes), error));

  it.each<[string, (its: Scene) => string, string]>([
    ['an unknown server', () => `${product.baseUrl}/mcp/srv_${UNKNOWN_ID}`, 'invalid_target'],
    ['the base URL as resource', () => product.baseUrl, 'invalid_target'],
    ['a server with a fragment', ({ mcpEndpoint }) => `${mcpEndpoint}#x`, 'invalid_target'],
    ['a server with a query', ({ mcpEndpoint }) => `${mcpEndpoint}?x=1`, 'invalid_target'],
    [
      'a host that only begins like ours',
      ({ mcpEndpoint }) => mcpEndpoint.replace('/mcp', '.evil.example/mcp'),
      'invalid_target',
    ],
    ['a resource with user information', ({ mcpEndpoint }) => mcpEndpoint.replace('://', '://a@'), 'invalid_target'],
    ['a resource with dot segments', ({ mcpEndpoint }) => mcpEndpoint.replace('/mcp/', '/x/../mcp/'), 'invalid_target'],
  ])('%s', (_, resource, error) => expectRedirected(scene.its.query({ resource: resource(scene) }), error));

  it.each([
    ['two resources', 'resource=https://elsewhere.example', 'invalid_target'],
    ['the same resource twice', '', 'invalid_target'],
    ['two challenges', `code_challenge=${'a'.repeat(43)}`, 'invalid_request'],
    ['two methods', 'code_challenge_method=plain', 'invalid_request'],
    ['two response types', 'response_type=token', 'invalid_request'],
    ['two scopes', 'scope=mcp:tools&scope=mcp:code', 'invalid_request'],
  ])('%s', (_, more, error) =>
    expectRedirected(
      `${scene.its.query()}&${more || new URLSearchParams({ resource: scene.mcpEndpoint }).toString()}`,
      error,
    ),
  );

  it.each<[string, object, string, string]>([
    ['a server without OAuth', { authMode: 'bearer' }, '', 'invalid_target'],
    ['a suspended server', {}, '/suspend', 'access_denied'],
    ['a deleted server', {}, 'delete', 'invalid_target'],
  ])('%s', async (_, fields, then, error) => {
    const { server, mcpEndpoint } = await newServer(product.api, stage.workspaceId, fields);
    const path = `${MCP_SERVERS}/${server.id}`;
    if (then === 'delete') expect((await product.api.delete(path)).status).toBe(200);
    else if (then) expect((await product.api.post(path + then)).status).toBe(200);
    await expectRedirected(scene.its.query({ resource: mcpEndpoint }), error);
  });
});

describe('only the user sees an error for', () => {
  it.each<[string, Changes]>([
    ['an unknown client', { client_id: UNKNOWN_ID }],
    ['a malformed client id', { client_id: 'unknown' }],
    ['no client', { client_id: undefined }],
    ['a client id with a NUL character', { client_id: 'a\0b' }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['an oversized request', { state: 'x'.repeat(2_000) }],
  ])('%s', (_, changes) => expectShown(scene.its.query(changes)));

  it.each(['client_id', 'redirect_uri'])('a repeated %s', (name) =>
    expectShown(`${scene.its.query()}&${new URLSearchParams({ [name]: REDIRECT }).toString()}`),
  );

  it.each([
    `${REDIRECT}/other`,
    `${REDIRECT}/`,
    `${REDIRECT}?code=mine`,
    `${REDIRECT}#code`,
    `${REDIRECT}/../other`,
    `${REDIRECT}/%2e%2e/other`,
    `${REDIRECT}%2f..%2fother`,
    `${REDIRECT}%00`,
    ` ${REDIRECT}`,
    `${REDIRECT}\n`,
    REDIRECT.replace('http:', 'https:'),
    REDIRECT.replace('http:', 'HTTP:'),
    REDIRECT.replace('127.0.0.1', 'localhost'),
    REDIRECT.replace('127.0.0.1', '[::1]'),
    REDIRECT.replace('127.0.0.1', '127.0.0.2'),
    REDIRECT.replace('127.0.0.1', '2130706433'),
    REDIRECT.replace('127.0.0.1', '127.0.0.1.evil.example'),
    REDIRECT.replace('127.0.0.1:7777', '127.0.0.1:7777@evil.example'),
    REDIRECT.replace('127.0.0.1', 'a:b@127.0.0.1'),
    REDIRECT.replace('/callback', '\\@evil.example/callback'),
    REDIRECT.replace('7777', '99999999'),
    'https://app.example:8443/back',
    'https://app.example/BACK',
    'https://app.example./back',
    'http://app.example/back',
    'https://app.example/back?next=//evil.example',
    'cursor://y/x',
    'javascript:alert(1)//callback',
  ])('an unregistered redirect URI: %j', async (redirect_uri) => {
    const redirect_uris = [REDIRECT, 'https://app.example/back', 'cursor://x/y'];
    const { client_id } = (await register(product.baseUrl, { redirect_uris })).body;
    await expectShown(scene.its.query({ client_id, redirect_uri }));
  });
});
