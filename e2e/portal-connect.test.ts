// Shapes: local
import { connectProduct, type ConnectProduct } from './support/connect.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { fresh } from './support/owned-resources.js';
import { type Web, webOf } from './support/web.js';
import { newConnection, newIntegration, newWorkspace } from './support/workspace-integrations.js';

const PORTAL = '/connect/portal';
const KEYS = 'test-keys';

let its: ConnectProduct;

beforeAll(async () => (its = await connectProduct()));
afterAll(() => its?.stop());
beforeEach(() => {
  its.keys.reset();
  its.keys.on('GET /me', { body: { account: 'ann' } });
});

interface Person {
  id: string;
  externalId: string;
  workspaceId: string;
}

/** Of a workspace that offers `test-keys` to each, and what needs no connection. */
async function person(): Promise<Person> {
  const workspaceId = await newWorkspace(its.api);
  await newIntegration(its.api, workspaceId, { integrationName: KEYS, connectionStrategy: 'per_user' });
  await newIntegration(its.api, workspaceId);
  return (await its.api.post('/api/v1/end-users', { workspaceId, externalId: fresh() })).body.endUser;
}

async function entered({ id }: Person, limits: object = {}): Promise<Web> {
  const { token } = (await its.api.post(`/api/v1/end-users/${id}/connect-token`, limits)).body;
  const web = webOf(its.product.baseUrl);
  expect((await web.get(`${PORTAL}?token=${token}`)).to).toBe(PORTAL);
  return web;
}

/** Goes to the connect page from a button of the portal, and connects there; answers where that leads. */
async function connect(web: Web, button: Record<string, string>): Promise<string> {
  const { status, to } = await web.post(`${PORTAL}/connect`, button);
  expect({ status, to }).toEqual({ status: 303, to: expect.stringMatching(/^\/connect\?token=cst_\w{46}$/) });
  const { to: own } = await web.get(to!);
  await web.post(own!, { type: 'SECRET_TEXT', 'field.secretText': 'good-key' });
  const { refresh } = Object.fromEntries((await web.get(own!)).headers);
  const onward = new URL(refresh!.replace('0; url=', ''));
  expect(onward.origin).toBe(its.product.baseUrl);
  return onward.pathname + onward.search;
}

const connectionsOf = async ({ id }: Person): Promise<any[]> =>
  (await its.api.get(`/api/v1/end-users/${id}`)).body.connections;

it('offers what the workspace has and uses a connection, connects it for the person alone, and offers it no more', async () => {
  const ada = await person();
  const web = await entered(ada);
  const { text } = await web.get(PORTAL);
  expect(text).toContain('Connect Test Keys');
  expect(text).not.toContain('hash-encode');
  const shown = await web.get(await connect(web, { integration: KEYS }));
  for (const said of ['It is connected.', 'Test Keys', 'Works']) expect(shown.text).toContain(said);
  expect(shown.text).not.toContain('Connect Test Keys');
  const [made] = await connectionsOf(ada);
  expect(made).toMatchObject({ integrationName: KEYS, displayName: 'Test Keys', status: 'ACTIVE' });
  const { connection } = (await its.api.get(`/api/v1/connections?id=${made.id}`)).body;
  expect(connection).toMatchObject({ scope: 'USER', endUserId: ada.externalId, workspaceId: ada.workspaceId });
  const call = { integrationName: KEYS, actionName: 'whoami', workspaceId: ada.workspaceId, input: {} };
  expect((await its.api.post('/api/v1/actions/execute', { ...call, endUserId: ada.externalId })).status).toBe(200);
});

it('connects anew what was refused: it keeps its id', async () => {
  const ada = await person();
  const own = { integrationName: KEYS, workspaceId: ada.workspaceId, endUserId: ada.externalId, scope: 'USER' };
  const id = await newConnection(its.api, own);
  const refused = `UPDATE connections.connections SET status = 'ERROR' WHERE id = $1`;
  await rowsOf(its.product.databaseUrl, refused, [id]);
  const web = await entered(ada);
  expect((await web.get(PORTAL)).text).toContain('Connect again');
  await connect(web, { id });
  expect(await connectionsOf(ada)).toMatchObject([{ id, status: 'ACTIVE', displayName: 'Octocat' }]);
  await eventually(async () => {
    const { entries } = (await its.api.get('/api/v1/audit-log?action=connect_session.create&limit=1')).body;
    expect(entries).toMatchObject([{ actor: { type: 'system' }, reason: `by end user ${ada.externalId}` }]);
  });
});

it("begins nothing for what is not offered, beyond the link, or somebody else's", async () => {
  const [ada, bob] = [await person(), await person()];
  const own = { integrationName: KEYS, workspaceId: bob.workspaceId, endUserId: bob.externalId, scope: 'USER' };
  const others = await newConnection(its.api, own);
  const web = await entered(ada);
  for (const integration of ['github', 'hash-encode', 'none', ''])
    expect((await web.post(`${PORTAL}/connect`, { integration })).to).toBe(PORTAL);
  expect((await web.post(`${PORTAL}/connect`, { id: others })).status).toBe(404);
  expect((await web.post(`${PORTAL}/connect`, { integration: KEYS }, { origin: 'https://evil.example' })).status).toBe(
    403,
  );
  const limited = await entered(ada, { integrationName: 'github' });
  expect((await limited.get(PORTAL)).text).not.toContain('Test Keys');
  expect((await limited.post(`${PORTAL}/connect`, { integration: KEYS })).to).toBe(PORTAL);
});

it('leaves no session behind of a person who is deleted', async () => {
  const ada = await person();
  const web = await entered(ada);
  const { to } = await web.post(`${PORTAL}/connect`, { integration: KEYS });
  await its.api.delete(`/api/v1/end-users/${ada.id}`);
  const token = to!.split('=')[1];
  expect((await its.api.post('/api/v1/connect/session/poll', { token })).status).toBe(401);
});
