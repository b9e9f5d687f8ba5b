// Shapes: local
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { refreshedProduct, type RefreshedProduct } from './support/refreshed.js';

const REVOKE = 'DELETE /applications/platform/token';

let its: RefreshedProduct;

beforeAll(async () => (its = await refreshedProduct()));
afterAll(() => its?.stop());
beforeEach(() => its.reset());

const left = (id: string): Promise<object[]> =>
  rowsOf(its.product.databaseUrl, 'SELECT id FROM connections.revocations WHERE id = $1', [id]);

const asked = () => its.provider.requests.filter(({ method }) => method === 'DELETE');

it('gives the token of a deleted connection back at the provider, as its client, and forgets it', async () => {
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

it('tries again where the provider fails, and keeps nothing past a minute', async () => {
  its.provider.on(REVOKE, { status: 503 });
  const { id } = await its.connect();
  await its.api.delete(`/api/v1/connections/${id}`);
  await eventually(async () => expect(asked().length).toBeGreaterThan(1), 40_000);
  await eventually(async () => expect(await left(id)).toEqual([]), 60_000);
  expect(await rowsOf(its.product.databaseUrl, 'SELECT id FROM connections.connections WHERE id = $1', [id])).toEqual(
    [],
  );
});

it('does so for all that went with a workspace', async () => {
  its.provider.on(REVOKE, { status: 204 });
  const { workspace } = (await its.api.post('/api/v1/workspaces', { name: 'W', slug: `w-${Date.now()}` })).body;
  const place = { scope: 'WORKSPACE', workspaceId: workspace.id };
  for (let count = 0; count < 3; count++) await its.connect(place);
  await its.api.delete(`/api/v1/workspaces/${workspace.id}`);
  await eventually(async () => expect(asked()).toHaveLength(3), 60_000);
});
