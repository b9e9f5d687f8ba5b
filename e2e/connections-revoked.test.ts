// Shapes: none; in full: local
import { apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { newOrganization } from './support/organizations.js';
import { fresh } from './support/owned-resources.js';
import { refreshedProduct, type RefreshedProduct } from './support/refreshed.js';

const REVOKE = 'DELETE /applications/platform/token';

let its: RefreshedProduct;

beforeAll(async () => (its = await refreshedProduct()));
afterAll(() => its?.stop());
beforeEach(() => its.reset());

const left = (id: string): Promise<object[]> =>
  rowsOf(its.product.databaseUrl, 'SELECT id FROM connections.revocations WHERE id = $1', [id]);

/** Returns the revocation requests of the client. Revocations of earlier tests may arrive late. */
const asked = (client = 'platform') =>
  its.provider.requests.filter(({ method, url }) => method === 'DELETE' && url === `/applications/${client}/token`);

it('revokes the token of a deleted connection at the provider with its OAuth client, and forgets it', async () => {
  its.provider.on(REVOKE, { status: 204 });
  const tokens = its.issuer.grant();
  const { id } = await its.connect(tokens);
  await its.api.delete(`/api/v1/connections/${id}`);
  const { url, headers, body } = await its.provider.received(({ method }) => method === 'DELETE');
  expect({ url, authorization: headers['authorization'], body }).toEqual({
    url: '/applications/platform/token',
    authorization: `Basic ${Buffer.from('platform:platform-secret').toString('base64')}`,
    body: { access_token: tokens.accessToken },
  });
  await eventually(async () => expect(await left(id)).toEqual([]));
  expect(asked()).toHaveLength(1);
});

it('delays the revocation until the triggers of the connection have unsubscribed', async () => {
  its.provider.on(REVOKE, { status: 204 });
  const { id } = await its.connect();
  const rows = (sql: string): Promise<object[]> => rowsOf(its.product.databaseUrl, sql, [id]);
  await rows(`
    INSERT INTO connections.source_secrets (id, org_id, workspace_id, connection_id, sealed, wrapped_key, master_key_id)
    SELECT gen_random_uuid(), org_id, gen_random_uuid(), id, sealed, wrapped_key, master_key_id
    FROM connections.connections WHERE id = $1`);
  await its.api.delete(`/api/v1/connections/${id}`);
  const held =
    'SELECT extract(epoch FROM due_at - created_at)::int AS seconds FROM connections.revocations WHERE id = $1';
  expect(await rows(held)).toEqual([{ seconds: 20 }]);
  expect(asked()).toEqual([]);
  await rows('DELETE FROM connections.source_secrets WHERE connection_id = $1');
  await rows('UPDATE connections.revocations SET due_at = now() WHERE id = $1');
  await eventually(async () => expect(asked()).toHaveLength(1));
  await eventually(async () => expect(await left(id)).toEqual([]));
});

it('retries where the provider fails', async () => {
  its.provider.on(REVOKE, { status: 503 });
  const { id } = await its.connect();
  await its.api.delete(`/api/v1/connections/${id}`);
  await eventually(async () => expect(asked()).toHaveLength(1));
  its.provider.on(REVOKE, { status: 204 });
  await rowsOf(its.product.databaseUrl, 'UPDATE connections.revocations SET due_at = now() WHERE id = $1', [id]);
  await eventually(async () => expect(asked()).toHaveLength(2));
  await eventually(async () => expect(await left(id)).toEqual([]));
});

it('logs a refused revocation and does not retry it', async () => {
  its.provider.on(REVOKE, { status: 401 });
  const { id } = await its.connect();
  await its.api.delete(`/api/v1/connections/${id}`);
  await eventually(async () => expect(await left(id)).toEqual([]));
  // On a busy machine, a log line may appear later than the change in the database.
  const lines = (): string[] => its.product.logs().split('\n');
  const refusals = () =>
    lines().filter((text) => text.includes(id) && text.includes('rejected the revocation of the grant'));
  await eventually(async () => expect(refusals()).toEqual([expect.stringContaining('"status":401')]));
  expect(asked()).toHaveLength(1);
});

it('stops after a minute, even if the provider answers none of many revocations', async () => {
  its.provider.on(REVOKE, { hang: true });
  const ids: string[] = [];
  for (let count = 0; count < 45; count++) ids.push((await its.connect()).id);
  await Promise.all(ids.map((id) => its.api.delete(`/api/v1/connections/${id}`)));
  await eventually(async () => expect(asked().length).toBeGreaterThan(10));
  const grown = `UPDATE connections.revocations SET created_at = now() - interval '40 seconds' RETURNING id`;
  expect(await rowsOf(its.product.databaseUrl, grown)).toHaveLength(45);
  const count =
    'SELECT id FROM connections.revocations UNION ALL SELECT id FROM connections.connections WHERE id = ANY ($1)';
  await eventually(async () => expect(await rowsOf(its.product.databaseUrl, count, [ids])).toEqual([]));
});

it('a hanging provider does not delay the revocations of another organization', async () => {
  its.provider.on(REVOKE, { hang: true });
  const { plainKey } = await newOrganization(its.product.databaseUrl, 'enterprise');
  const other = apiOf(its.product.baseUrl, plainKey);
  const app = { integrationName: 'github', clientId: 'others', clientSecret: 'others-secret' };
  expect((await other.post('/api/v1/oauth-apps', app)).status).toBe(201);
  const [many, one] = [
    await Promise.all(Array.from({ length: 60 }, () => its.connect())),
    await its.connect({}, other),
  ];
  await Promise.all(many.map(({ id }) => its.api.delete(`/api/v1/connections/${id}`)));
  await other.delete(`/api/v1/connections/${one.id}`);
  await its.provider.received(({ url }) => url === '/applications/others/token');
  expect(asked().length).toBeLessThan(many.length);
});

it('revokes a grant that a refresh obtained while its connection was deleted', async () => {
  its.provider.on(REVOKE, { status: 204 });
  const connection = await its.connect();
  await connection.expire();
  let answer = (): void => undefined;
  its.issuer.slow({ until: new Promise<void>((resolve) => (answer = resolve)) });
  const executing = connection.execute();
  await its.provider.received(({ url }) => url.startsWith('/login/oauth'));
  await its.api.delete(`/api/v1/connections/${connection.id}`);
  answer();
  await executing;
  const generations = () => asked().map(({ body }) => body.access_token.split('_').at(-1));
  await eventually(async () => expect(generations()).toContain('1'));
});

it("revokes grants of a workspace's own OAuth app, and then deletes the app", async () => {
  const route = 'DELETE /applications/own/token';
  its.provider.on(route, { status: 503 });
  const { workspace } = (await its.api.post('/api/v1/workspaces', { name: 'W', slug: fresh() })).body;
  const place = { scope: 'WORKSPACE', workspaceId: workspace.id };
  const app = { integrationName: 'github', clientId: 'own', clientSecret: 'own-secret', workspaceId: workspace.id };
  expect((await its.api.post('/api/v1/oauth-apps', app)).status).toBe(201);
  const { id } = await its.connect(place);
  await its.api.delete(`/api/v1/workspaces/${workspace.id}`);
  await eventually(async () => expect(asked('own')).not.toEqual([]));
  const emptied = 'SELECT FROM connections.purged_workspaces WHERE workspace_id = $1 AND emptied_at IS NOT NULL';
  await eventually(async () => expect(await rowsOf(its.product.databaseUrl, emptied, [workspace.id])).toHaveLength(1));
  its.provider.on(route, { status: 204 });
  await rowsOf(its.product.databaseUrl, 'UPDATE connections.revocations SET due_at = now() WHERE id = $1', [id]);
  await eventually(async () => expect(asked('own')).toHaveLength(2));
  const apps = 'SELECT id FROM connections.oauth_apps WHERE workspace_id = $1';
  await eventually(async () => expect(await rowsOf(its.product.databaseUrl, apps, [workspace.id])).toEqual([]));
});

it('revokes all grants of a deleted workspace', async () => {
  its.provider.on(REVOKE, { status: 204 });
  const { workspace } = (await its.api.post('/api/v1/workspaces', { name: 'W', slug: fresh() })).body;
  const place = { scope: 'WORKSPACE', workspaceId: workspace.id };
  const grants = [its.issuer.grant(), its.issuer.grant(), its.issuer.grant()];
  for (const grant of grants) await its.connect({ ...place, ...grant });
  await its.api.delete(`/api/v1/workspaces/${workspace.id}`);
  const tokens = grants.map(({ accessToken }) => accessToken);
  const givenBack = () => asked().map(({ body }) => body.access_token);
  await eventually(async () => expect(givenBack()).toEqual(expect.arrayContaining(tokens)), 60_000);
});
