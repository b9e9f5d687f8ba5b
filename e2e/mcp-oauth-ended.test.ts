// Shapes: none; in full: local
import { type Answer, type Api, apiOf, apiWith } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, UNKNOWN_ID } from './support/expect.js';
import { expectWithinASecond } from './support/expect-within.js';
import { MCP_SERVERS } from './support/mcp-servers.js';
import { redeem, refresh } from './support/oauth.js';
import {
  expectNoSecret,
  expectRefused,
  newCode,
  newEndUser,
  newPair,
  newScene,
  oauthStage,
  rowsOfServer,
  sayYes,
  type Scene,
  type Stage,
  statusBy,
} from './support/oauth-stage.js';

let product: Drawbridge;
let api: Api;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
});

describe('between any two steps', () => {
  it.each<[string, (stage: Stage, path: string) => Promise<Answer>, number]>([
    ['the server is deleted', (_, path) => api.delete(path), 401],
    ['OAuth is disabled', (_, path) => api.patch(path, { authMode: 'bearer' }), 401],
    [
      'the server is for another end user',
      async ({ workspaceId }, path) => api.patch(path, { endUserId: await newEndUser(api, { workspaceId }) }),
      401,
    ],
    ['the server is suspended', (_, path) => api.post(`${path}/suspend`), 403],
    ['the workspace is suspended', ({ workspaceId }) => api.post(`/api/v1/workspaces/${workspaceId}/suspend`), 403],
    ['the workspace is deleted', ({ workspaceId }) => api.delete(`/api/v1/workspaces/${workspaceId}`), 401],
    ['the end user is deleted', ({ endUserId }) => api.delete(`/api/v1/end-users/${endUserId}`), 401],
  ])('%s: the next step is refused', async (_, change, status) => {
    const stage = await oauthStage(product, api);
    const scene = await newScene(stage);
    const [pair, code] = [await newPair(stage, scene), await newCode(stage, scene)];
    const before = await rowsOfServer(stage, scene);
    expect((await change(stage, `${MCP_SERVERS}/${scene.serverId}`)).status).toBe(200);
    await expectWithinASecond(async () => expect(await statusBy(pair.access, scene)).toBe(status));
    await expectWithinASecond(async () => {
      const shown = await sayYes(stage.web, scene.its.query());
      expect([shown.status, new URL(shown.to ?? 'x:').searchParams.get('code')]).toEqual([expect.any(Number), null]);
      expectNoSecret(shown);
    });
    expectRefused(await redeem(product.baseUrl, scene.its, code), 400, 'invalid_grant');
    expectRefused(await refresh(product.baseUrl, scene.its, pair.refresh), 400, 'invalid_grant');
    expect((await rowsOfServer(stage, scene)).tokens).toBeLessThanOrEqual(before.tokens);
  });

  it.each<[string, (stage: Stage, path: string) => Promise<Answer>]>([
    ['the server', (_, path) => api.delete(path)],
    ['the workspace', ({ workspaceId }) => api.delete(`/api/v1/workspaces/${workspaceId}`)],
    ['the end user', ({ endUserId }) => api.delete(`/api/v1/end-users/${endUserId}`)],
  ])('deleting %s deletes its authorizations and tokens', async (_, end) => {
    const stage = await oauthStage(product, api);
    const scene = await newScene(stage);
    await refresh(product.baseUrl, scene.its, (await newPair(stage, scene)).refresh);
    const [grants] = await rowsOf<{ ids: string[] }>(
      product.databaseUrl,
      'SELECT array_agg(id) AS ids FROM mcp.oauth_grants WHERE server_id = $1',
      [scene.serverId],
    );
    const left = () =>
      rowsOf(product.databaseUrl, 'SELECT id FROM mcp.oauth_refresh_tokens WHERE grant_id = ANY($1)', [grants!.ids]);
    expect(await left()).toHaveLength(2);
    expect((await end(stage, `${MCP_SERVERS}/${scene.serverId}`)).status).toBe(200);
    await eventually(async () => {
      expect(await rowsOfServer(stage, scene)).toEqual({ grants: 0, tokens: 0 });
      expect(await left()).toEqual([]);
    });
  });

  it('re-enabling OAuth does not restore tokens', async () => {
    const stage = await oauthStage(product, api);
    const scene = await newScene(stage);
    const [pair, code] = [await newPair(stage, scene), await newCode(stage, scene)];
    for (const authMode of ['bearer', 'oauth']) await api.patch(`${MCP_SERVERS}/${scene.serverId}`, { authMode });
    expectRefused(await redeem(product.baseUrl, scene.its, code), 400, 'invalid_grant');
    expectRefused(await refresh(product.baseUrl, scene.its, pair.refresh), 400, 'invalid_grant');
    expect(await statusBy(pair.access, scene)).toBe(401);
    expect(await statusBy((await newPair(stage, scene)).access, scene)).toBe(200);
  });
});

it('changing the email of an end user removes the link to the account', async () => {
  const stage = await oauthStage(product, api);
  const scene = await newScene(stage);
  await newCode(stage, scene);
  const email = `corrected-${stage.person.email}`;
  const { body } = await api.patch(`/api/v1/end-users/${stage.endUserId}`, { email });
  expect(body.endUser).toMatchObject({ email, type: 'external' });
  const shown = await sayYes(stage.web, scene.its.query());
  expect([shown.status, shown.to]).toEqual([403, null]);
});

describe('the tokens of a server', () => {
  let stage: Stage;
  let scene: Scene;
  let other: Scene;
  beforeAll(async () => {
    stage = await oauthStage(product, api);
    [scene, other] = [await newScene(stage), await newScene(stage)];
  });

  const ask = (fields: Record<string, string>, { method = 'POST', type = 'application/x-www-form-urlencoded' } = {}) =>
    apiWith(product.baseUrl, {}).send(method, '/oauth/revoke', {
      text: method === 'GET' ? undefined : new URLSearchParams(fields).toString(),
      headers: { 'content-type': type },
    });

  it('are valid for that server only', async () => {
    const { access, refresh: refreshToken } = await newPair(stage, scene);
    const code = await newCode(stage, scene);
    expect([await statusBy(access, scene), await statusBy(access, other)]).toEqual([200, 401]);
    for (const token of [refreshToken, code, product.key, access.slice(0, -1), ''])
      expect(await statusBy(token, scene)).toBe(401);
    for (const token of [access, refreshToken, code])
      expectError(await apiOf(product.baseUrl, token).get('/api/v1/workspaces'), 401, 'UNAUTHENTICATED');
  });

  it('are accepted only in the header', async () => {
    const { access } = await newPair(stage, scene);
    const { pathname } = new URL(scene.mcpEndpoint);
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const anonymous = apiWith(product.baseUrl, { accept: 'application/json' });
    for (const asked of [
      anonymous.post(`${pathname}?access_token=${access}`, body),
      anonymous.post(pathname, { ...body, access_token: access }),
    ])
      expect((await asked).status).toBe(401);
    expect((await anonymous.post(pathname, body, { cookie: `access_token=${access}` })).status).toBe(401);
  });

  it('cannot be revoked by another client, which does not learn whether they exist', async () => {
    const { access, refresh: token } = await newPair(stage, scene);
    const answers = [
      await ask({ token, client_id: other.its.clientId }),
      await ask({ token: access, client_id: other.its.clientId }),
      await ask({ token: 'mcpr_x', client_id: scene.its.clientId }),
      await ask({ token, client_id: UNKNOWN_ID }),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, undefined]));
    expect(await statusBy(access, scene)).toBe(200);
    expect((await refresh(product.baseUrl, scene.its, token)).status).toBe(200);
  });

  it('are revoked by their client: an access token alone, a refresh token with the whole authorization', async () => {
    const client_id = scene.its.clientId;
    const first = await newPair(stage, scene);
    expect((await ask({ token: first.access, client_id, token_type_hint: 'refresh_token' })).status).toBe(200);
    expect(await statusBy(first.access, scene)).toBe(401);
    const { body: next } = await refresh(product.baseUrl, scene.its, first.refresh);
    // The first refresh token is already used. Its revocation still revokes the authorization and the new tokens.
    expect((await ask({ token: first.refresh, client_id })).status).toBe(200);
    expect(await statusBy(next.access_token, scene)).toBe(401);
    expectRefused(await refresh(product.baseUrl, scene.its, next.refresh_token), 400, 'invalid_grant');
  });

  it('are not revoked by an invalid request', async () => {
    const { refresh: token } = await newPair(stage, scene);
    const client_id = scene.its.clientId;
    expectRefused(await ask({ client_id }), 400, 'invalid_request');
    expectRefused(await ask({ token }), 400, 'invalid_request');
    expectRefused(await ask({ token, client_id, client_secret: 'x' }), 401, 'invalid_client');
    expectRefused(await ask({ token, client_id }, { type: 'application/json' }), 400, 'invalid_request');
    expectRefused(await ask({}, { method: 'GET' }), 405, 'invalid_request');
    expect((await refresh(product.baseUrl, scene.its, token)).status).toBe(200);
  });
});
