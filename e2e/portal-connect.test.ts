// Shapes: local
import { connectProduct, type ConnectProduct } from './support/connect.js';
import { openClient, rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { fresh } from './support/owned-resources.js';
import { type Web, webOf } from './support/web.js';
import { newConnection, newIntegration, newWorkspace } from './support/workspace-integrations.js';

const PORTAL = '/connect/portal';
const KEYS = 'test-keys';
const WAITING = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

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

/** Creates an end user in a workspace with two integrations: each end user connects an account for `test-keys`, the other needs no connection. */
async function person(): Promise<Person> {
  const workspaceId = await newWorkspace(its.api);
  await newIntegration(its.api, workspaceId, { integrationName: KEYS, connectionStrategy: 'per_user' });
  await newIntegration(its.api, workspaceId);
  return (await its.api.post('/api/v1/end-users', { workspaceId, externalId: fresh() })).body.endUser;
}

interface Entered {
  web: Web;
  /** The path of the link's page. */
  home: string;
}

async function entered({ id }: Person, limits: object = {}, web = webOf(its.product.baseUrl)): Promise<Entered> {
  const { token } = (await its.api.post(`/api/v1/end-users/${id}/connect-token`, limits)).body;
  const { to: home } = await web.get(`${PORTAL}?token=${token}`);
  expect(home).toContain(`${PORTAL}/`);
  return { web, home: home! };
}

/** Connects with a button of the portal. Returns the URL to which the connect page redirects. */
async function connect({ web, home }: Entered, button: Record<string, string>): Promise<string> {
  const { status, to } = await web.post(`${home}/connect`, button);
  expect({ status, to }).toEqual({ status: 303, to: expect.stringMatching(/^\/connect\?token=cst_\w{46}$/) });
  const { to: own } = await web.get(to!);
  await web.post(own!, { type: 'SECRET_TEXT', 'field.secretText': 'good-key' });
  const { refresh } = Object.fromEntries((await web.get(own!)).headers);
  const redirect = new URL(refresh!.replace('0; url=', ''));
  expect(redirect.origin).toBe(its.product.baseUrl);
  return redirect.pathname + redirect.search;
}

const connectionsOf = async ({ id }: Person): Promise<any[]> =>
  (await its.api.get(`/api/v1/end-users/${id}`)).body.connections;

it('the portal offers integrations that need a connection, connects them for the end user only, and then no longer offers them', async () => {
  const ada = await person();
  const { web, home } = await entered(ada);
  const { text } = await web.get(home);
  expect(text).toContain('Connect Test Keys');
  expect(text).not.toContain('hash-encode');
  const shown = await web.get(await connect({ web, home }, { integration: KEYS }));
  for (const said of ['Connected.', 'Test Keys', 'Works']) expect(shown.text).toContain(said);
  expect(shown.text).not.toContain('Connect Test Keys');
  const [made] = await connectionsOf(ada);
  expect(made).toMatchObject({ integrationName: KEYS, displayName: 'Test Keys', status: 'ACTIVE' });
  const { connection } = (await its.api.get(`/api/v1/connections?id=${made.id}`)).body;
  expect(connection).toMatchObject({ scope: 'USER', endUserId: ada.externalId, workspaceId: ada.workspaceId });
  const call = { integrationName: KEYS, actionName: 'whoami', workspaceId: ada.workspaceId, input: {} };
  expect((await its.api.post('/api/v1/actions/execute', { ...call, endUserId: ada.externalId })).status).toBe(200);
});

it('reconnecting a refused connection keeps its id', async () => {
  const ada = await person();
  const own = { integrationName: KEYS, workspaceId: ada.workspaceId, endUserId: ada.externalId, scope: 'USER' };
  const id = await newConnection(its.api, own);
  const refused = `UPDATE connections.connections SET status = 'ERROR' WHERE id = $1`;
  await rowsOf(its.product.databaseUrl, refused, [id]);
  const { web, home } = await entered(ada);
  expect((await web.get(home)).text).toContain('Reconnect');
  await connect({ web, home }, { id });
  expect(await connectionsOf(ada)).toMatchObject([{ id, status: 'ACTIVE', displayName: 'Octocat' }]);
  await eventually(async () => {
    const { entries } = (await its.api.get('/api/v1/audit-log?action=connect_session.create&limit=1')).body;
    expect(entries).toMatchObject([{ actor: { type: 'system' }, reason: `by end user ${ada.externalId}` }]);
  });
});

it('the portal refuses integrations that are not offered or outside of the link, and connections of others', async () => {
  const [ada, bob] = [await person(), await person()];
  const own = { integrationName: KEYS, workspaceId: bob.workspaceId, endUserId: bob.externalId, scope: 'USER' };
  const others = await newConnection(its.api, own);
  const { web, home } = await entered(ada);
  for (const integration of ['github', 'hash-encode', 'none', ''])
    expect((await web.post(`${home}/connect`, { integration })).to).toBe(home);
  expect((await web.post(`${home}/connect`, { id: others })).status).toBe(404);
  expect((await web.post(`${home}/connect`, { integration: KEYS }, { origin: 'https://evil.example' })).status).toBe(
    403,
  );
  const limited = await entered(ada, { integrationName: 'github' });
  expect((await limited.web.get(limited.home)).text).not.toContain('Test Keys');
  expect((await limited.web.post(`${limited.home}/connect`, { integration: KEYS })).to).toBe(limited.home);
});

it('deleting an end user deletes their sessions', async () => {
  const ada = await person();
  const { web, home } = await entered(ada);
  const { to } = await web.post(`${home}/connect`, { integration: KEYS });
  await its.api.delete(`/api/v1/end-users/${ada.id}`);
  const token = to!.split('=')[1];
  expect((await its.api.post('/api/v1/connect/session/poll', { token })).status).toBe(401);
});

it('no session starts for an end user who is deleted concurrently', async () => {
  const ada = await person();
  const { web, home } = await entered(ada);
  const { databaseUrl } = its.product;
  const waiting = (): Promise<object[]> => rowsOf(databaseUrl, WAITING);
  const holding = await openClient(databaseUrl);
  await holding.query('BEGIN');
  await holding.query('SELECT FROM connections.end_users WHERE id = $1 FOR UPDATE', [ada.id]);
  const deleted = its.api.delete(`/api/v1/end-users/${ada.id}`);
  await eventually(async () => expect(await waiting()).toHaveLength(1));
  const begun = web.post(`${home}/connect`, { integration: KEYS });
  await eventually(async () => expect(await waiting()).toHaveLength(2));
  await holding.query('COMMIT');
  await holding.end();
  expect((await deleted).status).toBe(200);
  expect(await begun).toMatchObject({ status: 401, text: expect.stringContaining('no longer works') });
});

describe('starting again', () => {
  const begun = ({ externalId }: Person): Promise<{ id: string; status: string }[]> =>
    rowsOf(its.product.databaseUrl, 'SELECT id, status FROM connections.connect_sessions WHERE end_user_id = $1', [
      externalId,
    ]);

  it('replaces an unfinished session, also for concurrent requests', async () => {
    const ada = await person();
    const { web, home } = await entered(ada);
    const { to: left } = await web.post(`${home}/connect`, { integration: KEYS });
    const again = Array.from({ length: 8 }, () => web.post(`${home}/connect`, { integration: KEYS }));
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual(Array(8).fill(303));
    expect(await begun(ada)).toMatchObject([{ status: 'PENDING' }]);
    expect(await web.get(left!)).toMatchObject({ status: 404, text: expect.stringContaining('does not work') });
    await connect({ web, home }, { integration: KEYS });
    expect(await begun(ada)).toMatchObject([{ status: 'COMPLETED' }]);
  });

  it('is rate-limited for each end user', async () => {
    const [ada, bob] = [await person(), await person()];
    const [hers, his] = [await entered(ada), await entered(bob)];
    await connect(hers, { integration: KEYS });
    const [one] = await begun(ada);
    const more = `INSERT INTO connections.connect_sessions
      SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'token_hash', gen_random_uuid()))).*
      FROM connections.connect_sessions s, generate_series(1, 99) WHERE s.id = $1`;
    await rowsOf(its.product.databaseUrl, more, [one!.id]);
    const answer = await hers.web.post(`${hers.home}/connect`, { integration: KEYS });
    expect(answer).toMatchObject({ status: 429, text: expect.stringContaining('Too many') });
    await connect(his, { integration: KEYS });
  });
});

describe('two portal links in one browser', () => {
  const connected = ({ workspaceId, externalId: endUserId }: Person): Promise<string> =>
    newConnection(its.api, { workspaceId, endUserId, scope: 'USER' });

  it('act each for its own end user, whichever was opened last', async () => {
    const [ada, bob] = [await person(), await person()];
    const [hers, his] = [await connected(ada), await connected(bob)];
    const { web, home } = await entered(ada);
    await entered(bob, {}, web);
    expect((await web.get(`${home}/disconnect?id=${hers}`)).text).toContain('Disconnect GitHub?');
    await web.post(`${home}/disconnect`, { id: hers });
    expect(await connectionsOf(ada)).toEqual([]);
    expect(await connectionsOf(bob)).toMatchObject([{ id: his }]);
    await connect({ web, home }, { integration: KEYS });
    expect(await connectionsOf(ada)).toMatchObject([{ integrationName: KEYS }]);
  });

  it('keep working after an invalid third one, and are limited to 20', async () => {
    const ada = await person();
    const { web, home } = await entered(ada);
    expect((await web.get(`${PORTAL}?token=eut_${'x'.repeat(46)}`)).status).toBe(401);
    expect((await web.get(home)).status).toBe(200);
    for (let more = 0; more < 22; more++) await entered(ada, {}, web);
    expect([...web.cookies.keys()].filter((name) => name.startsWith('portal-'))).toHaveLength(20);
  });
});
