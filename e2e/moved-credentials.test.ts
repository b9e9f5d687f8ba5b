// Shapes: local
import { randomUUID } from 'node:crypto';
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { canary, findCanaries } from './support/canaries.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError } from './support/expect.js';
import { expectWithinASecond } from './support/expect-within.js';
import { provider } from './support/provider.js';

const HTTP = { integrationName: 'http', displayName: 'HTTP', type: 'SECRET_TEXT' };
const SEALED = 'sealed, wrapped_key, master_key_id';

interface Tenant {
  api: Api;
  orgId: string;
  workspaceId: string;
}

let product: Drawbridge;
let thirdParty: FakeProvider;
let mine: Tenant;
let theirs: Tenant;
const secret = canary();

beforeAll(async () => {
  product = await drawbridge();
  thirdParty = await provider();
  [mine, theirs] = await Promise.all([tenant(product.api), tenant(product.other)]);
});
afterEach(() => thirdParty.reset());
afterAll(() => thirdParty.stop());

async function tenant(api: Api): Promise<Tenant> {
  const { organization } = (await api.get('/api/v1/organization')).body;
  const { workspace } = (await api.post('/api/v1/workspaces', { name: 'W', slug: `w-${randomUUID()}` })).body;
  return { api, orgId: organization.id, workspaceId: workspace.id };
}

async function connect({ api }: Tenant): Promise<{ id: string; externalId: string }> {
  const body = { ...HTTP, externalId: randomUUID(), secretText: secret.text };
  return (await api.post('/api/v1/connections', body)).body.connection;
}

const use = ({ api, workspaceId }: Tenant, connectionExternalId: string): Promise<Answer> =>
  api.post('/api/v1/actions/execute', {
    ...{ integrationName: 'http', actionName: 'send_request', workspaceId, connectionExternalId },
    input: { method: 'GET', url: 'https://api.example.com/' },
  });

const change = (assignments: string, ...values: string[]): Promise<object[]> =>
  rowsOf(product.databaseUrl, `UPDATE connections.connections SET ${assignments} WHERE id = $1`, values);

/** Waits at most a second, because the cached row may still be used. After that no request reaches the provider, and the response reveals nothing. */
async function expectClosed(tenant: Tenant, externalId: string): Promise<void> {
  await expectWithinASecond(async () => expectError(await use(tenant, externalId), 500, 'INTERNAL'));
  thirdParty.reset();
  const { body } = await use(tenant, externalId);
  expect(body).toEqual({ error: expect.any(String), code: 'INTERNAL', details: { requestId: expect.any(String) } });
  expect(thirdParty.requests).toEqual([]);
  expect(findCanaries(product.logs(), { secret })).toEqual([]);
}

describe.each([
  ['the same organization', () => mine],
  ['another organization', () => theirs],
])('in a connection of %s', (_whose, tenant) => {
  it.each([SEALED, 'sealed', 'wrapped_key'])(
    '%s of another connection never decrypt, and all others still work',
    async (columns) => {
      const [source, target] = [await connect(mine), await connect(tenant())];
      expect((await use(tenant(), target.externalId)).status).toBe(200);

      const found = `(SELECT ${columns} FROM connections.connections WHERE id = $2)`;
      await change(`(${columns}) = ${found}`, target.id, source.id);
      await expectClosed(tenant(), target.externalId);
      expect((await use(mine, source.externalId)).status).toBe(200);
      expect((await tenant().api.delete(`/api/v1/connections/${target.id}`)).status).toBe(200);
    },
  );
});

it('a row that was moved to another organization does not decrypt until it is moved back', async () => {
  const { id, externalId } = await connect(mine);
  await change('org_id = $2, scope_id = $2', id, theirs.orgId);
  await expectClosed(theirs, externalId);
  await change('org_id = $2, scope_id = $2', id, mine.orgId);
  await expectWithinASecond(async () => expect((await use(mine, externalId)).status).toBe(200));
});

it('a row under another id does not decrypt', async () => {
  const { id, externalId } = await connect(mine);
  await change('id = $2', id, randomUUID());
  await expectClosed(mine, externalId);
});

it('a credential does not decrypt as the secret of an OAuth app, not even under its own id', async () => {
  const { api } = mine;
  const newApp = async (): Promise<string> => {
    const body = { integrationName: 'github', clientId: 'x', clientSecret: secret.text };
    return (await api.post('/api/v1/oauth-apps', body)).body.oauthApp.id;
  };
  const [used, sound] = [await newApp(), await newApp()];
  const { id } = await connect(mine);
  const found = `(SELECT ${SEALED} FROM connections.connections WHERE id = $2)`;
  const moved = `UPDATE connections.oauth_apps SET id = $2, (${SEALED}) = ${found} WHERE id = $1`;
  await rowsOf(product.databaseUrl, moved, [used, id]);

  const body = { ...HTTP, type: 'OAUTH2', integrationName: 'github', accessToken: 'x' };
  const grant = (oauthAppId: string) =>
    api.post('/api/v1/connections', { ...body, externalId: randomUUID(), oauthAppId });
  expectError(await grant(id), 500, 'INTERNAL');
  expect((await grant(sound)).status).toBe(201);
  expect(findCanaries(product.logs(), { secret })).toEqual([]);
});
