// Shapes: local
import { type Answer, apiOf, apiWith } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { UNKNOWN_ID } from './support/expect.js';
import { MCP_SERVERS, newServer } from './support/mcp-servers.js';
import { sendRaw } from './support/wire.js';
import { newWorkspace } from './support/workspace-integrations.js';

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';

let product: Drawbridge;
let workspaceId: string;
/** The endpoint of a server in the form that agents use. */
let mcpEndpoint: string;
let path: string;

beforeAll(async () => {
  product = await drawbridge();
  workspaceId = await newWorkspace(product.api);
  ({ mcpEndpoint } = await newServer(product.api, workspaceId, { name: 'Helpdesk' }));
  path = new URL(mcpEndpoint).pathname;
});

const get = (at: string, headers?: Record<string, string>): Promise<Answer> =>
  apiWith(product.baseUrl, {}).get(at, headers);

describe('the metadata of a protected resource', () => {
  it.each<[string, () => string]>([
    ['under the well-known path (RFC 9728, 3.1)', () => RESOURCE + path],
    ['under the path of the server', () => path + RESOURCE],
  ])('is served %s', async (_, at) => {
    const { status, body, headers } = await get(at());
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        resource: mcpEndpoint,
        authorization_servers: [product.baseUrl],
        scopes_supported: ['mcp:tools'],
        bearer_methods_supported: ['header'],
        resource_name: 'Helpdesk',
      },
    });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('lists both scopes of a code server, as does the challenge', async () => {
    const { mcpEndpoint: code } = await newServer(product.api, workspaceId, { mode: 'CODE' });
    const { pathname } = new URL(code);
    expect((await get(RESOURCE + pathname)).body.scopes_supported).toEqual(['mcp:tools', 'mcp:code']);
    const { status, headers } = await apiWith(product.baseUrl, {}).post(pathname, {});
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${product.baseUrl}${RESOURCE}${pathname}", scope="mcp:tools mcp:code"`,
    ]);
  });

  it('is equally absent for a server without OAuth, a suspended, a deleted and an unknown server', async () => {
    const bearer = (await newServer(product.api, workspaceId, { authMode: 'bearer' })).server.id;
    const gone = (await newServer(product.api, workspaceId)).server.id;
    expect((await product.api.delete(`${MCP_SERVERS}/${gone}`)).status).toBe(200);
    const suspended = (await newServer(product.api, workspaceId)).server.id;
    expect((await product.api.post(`${MCP_SERVERS}/${suspended}/suspend`)).status).toBe(200);
    const plainly = (id: string, text: unknown): string => JSON.stringify(text).replaceAll(id, 'ID');
    for (const at of [(id: string) => `${RESOURCE}/mcp/srv_${id}`, (id: string) => `/mcp/srv_${id}${RESOURCE}`]) {
      const answers = await Promise.all(
        [bearer, suspended, gone, UNKNOWN_ID].map(async (id) => {
          const { status, body } = await get(at(id));
          return [status, plainly(id, body)];
        }),
      );
      expect(answers).toEqual(answers.map(() => [404, answers[0]![1]]));
    }
    const challenges = await Promise.all(
      [bearer, suspended, gone, UNKNOWN_ID].map(async (id) => {
        const { status, body, headers } = await apiWith(product.baseUrl, {}).post(`/mcp/srv_${id}`, {});
        return [status, plainly(id, body), headers.get('www-authenticate')];
      }),
    );
    expect(challenges).toEqual(challenges.map(() => [401, challenges[0]![1], 'Bearer']));
  });

  it.each([
    RESOURCE,
    `${RESOURCE}/`,
    `${RESOURCE}/mcp`,
    `${RESOURCE}/mcp/srv_x`,
    `${RESOURCE}/mcp/srv_${UNKNOWN_ID}/x`,
    `${RESOURCE}/mcp/${UNKNOWN_ID}`,
    `${RESOURCE}/api/v1/workspaces`,
    `${RESOURCE}/mcp/srv_%00`,
    `/mcp/srv_x${RESOURCE}`,
  ])('is absent at %s', async (at) => expect((await get(at)).status).toBe(404));
});

describe('the metadata of the authorization server', () => {
  it('is the same at each well-known path, and uses the requested address', async () => {
    const { status, body } = await get(SERVER);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        issuer: product.baseUrl,
        authorization_endpoint: `${product.baseUrl}/oauth/authorize`,
        token_endpoint: `${product.baseUrl}/oauth/token`,
        registration_endpoint: `${product.baseUrl}/oauth/register`,
        revocation_endpoint: `${product.baseUrl}/oauth/revoke`,
        scopes_supported: ['mcp:tools', 'mcp:code'],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      },
    });
    const openId = (await get(OPENID)).body;
    expect(openId).toMatchObject(body);
    expect((await get(openId.jwks_uri.slice(product.baseUrl.length))).body).toEqual({ keys: [] });
    expect((await get(RESOURCE + path)).body.authorization_servers).toEqual([body.issuer]);
  });

  it('is not served for an MCP server (RFC 8414, 3.3)', async () => {
    for (const at of [SERVER + path, OPENID + path, path + SERVER, path + OPENID]) {
      const { status, body } = await get(at);
      expect([at, status < 500 && status !== 200, JSON.stringify(body).includes('issuer')]).toEqual([at, true, false]);
    }
  });
});

describe('the published addresses', () => {
  const FORGED: [string, string][] = [
    ['x-forwarded-host', 'evil.example'],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-port', '1'],
    ['x-forwarded-prefix', '/evil.example'],
    ['x-original-url', '/evil.example'],
    ['forwarded', 'host=evil.example;proto=https'],
    ['x-host', 'evil.example'],
  ];

  it.each(FORGED)('ignore the header %s: %s', async (name, value) => {
    for (const at of [RESOURCE + path, path + RESOURCE, SERVER, OPENID])
      expect((await get(at, { [name]: value })).body).toEqual((await get(at)).body);
    const { headers } = await apiWith(product.baseUrl, { [name]: value }).post(path, {});
    expect(headers.get('www-authenticate')).toContain(`"${product.baseUrl}${RESOURCE}`);
  });

  it.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.example#127.0.0.1',
    '',
  ])('never contain the Host %j', async (host) => {
    for (const at of [RESOURCE + path, path + RESOURCE, SERVER, OPENID]) {
      const answer = await sendRaw(product.baseUrl, `GET ${at} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect([400, 403]).toContain(answer.status);
      expect(JSON.stringify([answer.body, [...answer.headers]])).not.toContain('evil.example/');
    }
  });

  it.each([
    ['GET', SERVER],
    ['POST', '/oauth/register'],
    ['POST', '/oauth/token'],
  ])('allow cross-origin calls of %s %s', async (method, at) => {
    const origin = { origin: 'https://app.example' };
    const asked = { 'access-control-request-method': method, 'access-control-request-headers': 'content-type' };
    const preflight = await apiOf(product.baseUrl).send('OPTIONS', at, { headers: { ...origin, ...asked } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toContain(method);
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type');
    const answer = await apiOf(product.baseUrl).send(method, at, { headers: origin });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('ignore the origin of another site', async () => {
    for (const at of [RESOURCE + path, path + RESOURCE, SERVER])
      expect((await get(at, { origin: 'https://app.example' })).body).toEqual((await get(at)).body);
  });
});
