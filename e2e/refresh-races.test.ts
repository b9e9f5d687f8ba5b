// Shapes: none; in full: processes
import { type DatabaseProxy, databaseProxy } from './support/database-proxy.js';
import { openClient, rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { refreshedProduct, type RefreshedConnection, type RefreshedProduct } from './support/refreshed.js';
import { waitUntilReady } from './support/wait-until-ready.js';

const CONNECTIONS = 20;
const EXECUTIONS = 50;

let its: RefreshedProduct;

beforeAll(async () => (its = await refreshedProduct()));
afterAll(() => its?.stop());
beforeEach(() => its.reset());

/** Expires all tokens, then uses all connections concurrently, each several times. */
async function executeAll(connections: RefreshedConnection[]): Promise<number[]> {
  its.issuer.endTokens();
  await Promise.all(connections.map((connection) => connection.expire()));
  const rounds = Array.from({ length: EXECUTIONS }, () => connections);
  const answers = await Promise.all(rounds.flat().map((connection) => connection.execute()));
  return answers.map(({ status }) => status).filter((status) => status !== 200);
}

it.each([
  ['at once', {}],
  ['after 20 s', { delay: 20_000 }],
])('20 connections are refreshed once each for 1,000 executions, where the provider answers %s', async (_, slow) => {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => its.connect()));
  its.issuer.slow(slow);
  expect(await executeAll(connections)).toEqual([]);
  expect({ refreshes: its.issuer.refreshes.length, reused: its.issuer.reused }).toEqual({
    refreshes: CONNECTIONS,
    reused: [],
  });
});

it('a late successful refresh makes a connection ACTIVE again that another process set to ERROR', async () => {
  const connection = await its.connect();
  its.issuer.endTokens();
  await connection.expire();
  let answer = (): void => undefined;
  its.issuer.slow({ until: new Promise<void>((resolve) => (answer = resolve)) });
  const executing = connection.execute();
  await its.provider.received(({ url }) => url.startsWith('/login/oauth'));
  // Simulates another process that took over the expired lease, failed to refresh the token, and set the connection to ERROR.
  const refuse = `UPDATE connections.connections SET status = 'ERROR', error = '{"code": "c", "message": "m", "since": "s"}',
    refresh_at = NULL, refresh_until = NULL WHERE id = $1`;
  await rowsOf(its.product.databaseUrl, refuse, [connection.id]);
  answer();
  expect((await executing).status).toBe(200);
  expect(await connection.record()).toMatchObject({ status: 'ACTIVE', error: null });
  await eventually(async () => {
    const { entries } = (await its.api.get(`/api/v1/audit-log?action=connection.renew&resourceId=${connection.id}`))
      .body;
    expect(entries).toMatchObject([{ actor: { type: 'system' }, resource: { name: 'GitHub' } }]);
  });
  await connection.expire();
  expect((await connection.execute()).status).toBe(200);
});

describe('a process with a token response that cannot reach its database', () => {
  let database: DatabaseProxy;
  beforeAll(async () => {
    database = await databaseProxy(its.product.databaseUrl);
    await restartBehind(database.url);
  });
  afterAll(async () => {
    await restartBehind(its.product.databaseUrl);
    await database.stop();
  });

  it('is not overtaken by another process when its lease has expired', async () => {
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => its.connect()));
    its.issuer.endTokens();
    await Promise.all(connections.map((connection) => connection.expire()));
    let answer = (): void => undefined;
    its.issuer.slow({ until: new Promise<void>((resolve) => (answer = resolve)) });
    const first = connections.map((connection) => connection.execute());
    await eventually(async () => expect(its.issuer.refreshes).toHaveLength(CONNECTIONS));
    const cut = database.cutAt(/SET sealed = /, 'before');
    answer();
    await cut;

    const held = await lapse(connections.map(({ id }) => id));
    const lapsed = connections.filter(({ id }) => held.includes(id));
    const taking = [...lapsed, ...lapsed].map((connection) => connection.execute());
    await eventually(async () => expect(await taken(held)).not.toEqual([]));
    database.restore();
    await Promise.all([...first, ...taking]);
    await eventually(async () => {
      const answers = await Promise.all(connections.map((connection) => connection.execute()));
      expect(answers.map(({ status }) => status)).toEqual(connections.map(() => 200));
    });
    expect(its.issuer.reused).toEqual([]);
  });

  it('releases its lease once the database is back, where the provider failed', async () => {
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => its.connect()));
    await Promise.all(connections.map((connection) => connection.expire()));
    let answer = (): void => undefined;
    its.issuer.slow({ until: new Promise<void>((resolve) => (answer = resolve)) });
    its.issuer.answerRefresh({ status: 503 });
    const asking = connections.map((connection) => connection.execute());
    await eventually(async () => expect(its.issuer.refreshes).toHaveLength(CONNECTIONS));
    const cut = database.cutAt(/refresh_failures = refresh_failures/, 'before');
    answer();
    await cut;
    database.restore();
    await Promise.all(asking);
    expect(await taken(connections.map(({ id }) => id))).toEqual([]);
  });

  const lapse = (ids: string[]): Promise<string[]> =>
    idsBy(
      `UPDATE connections.connections SET refresh_until = now() - interval '1 second'
      WHERE refresh_until IS NOT NULL AND id = ANY ($1) RETURNING id`,
      ids,
    );
  const taken = (ids: string[]): Promise<string[]> =>
    idsBy('SELECT id FROM connections.connections WHERE refresh_until > now() AND id = ANY ($1)', ids);
  const idsBy = async (sql: string, ids: string[]): Promise<string[]> =>
    (await rowsOf<{ id: string }>(its.product.databaseUrl, sql, [ids])).map(({ id }) => id);
});

/** Restarts the first of two processes with another database URL. */
async function restartBehind(url: string): Promise<void> {
  await its.product.kill('connections-1', 'SIGTERM');
  await its.product.restart('connections-1', { DATABASE_URL: url });
  await waitUntilReady(its.product);
}

describe('a process that exits while it refreshes', () => {
  const services = (): string[] =>
    Object.keys(its.product.processes()).filter((name) => name.startsWith('connections'));

  it('before it stored the new token leaves the connection in ERROR, not silently broken', async () => {
    const connection = await its.connect();
    its.issuer.endTokens();
    await connection.expire();
    const holding = await openClient(its.product.databaseUrl);
    const held = `SELECT FROM connections.connections WHERE id = $1 AND refresh_until IS NOT NULL FOR UPDATE`;
    // The process holds the lease. The test locks the row while the provider responds, so that the new token cannot be stored.
    let answer = (): void => undefined;
    its.issuer.slow({ until: new Promise<void>((resolve) => (answer = resolve)) });
    const lost = connection.execute();
    await its.provider.received(({ url }) => url.startsWith('/login/oauth'));
    await holding.query('BEGIN');
    await holding.query(held, [connection.id]);
    answer();
    await eventually(async () => expect(await waiting()).toBe(1));
    for (const name of services()) await its.product.kill(name);
    // PostgreSQL continues a statement after its client has exited, so without this the waiting statement would still store the token.
    await rowsOf(its.product.databaseUrl, `SELECT pg_terminate_backend(pid) FROM (${WAITING}) AS waiting`);
    await holding.end();
    await lost;
    for (const name of services()) await its.product.restart(name);

    its.issuer.slow({});
    const passed = `UPDATE connections.connections SET refresh_until = now() - interval '1 second' WHERE id = $1`;
    await rowsOf(its.product.databaseUrl, passed, [connection.id]);
    await eventually(async () => expectError(await connection.execute(), 400, 'CONNECTION_REQUIRED'));
    // The first call from a gateway to a restarted process fails, so the test repeats it.
    await eventually(async () => {
      const { status, error } = await connection.record();
      const said = expect.stringContaining('interrupted');
      expect([status, error.code, error.message]).toEqual(['ERROR', 'bad_refresh_token', said]);
    });
  });

  it('on SIGTERM completes started refreshes and starts no others', async () => {
    const connections = await Promise.all(Array.from({ length: 120 }, () => its.connect()));
    for (const name of services()) await its.product.kill(name, 'SIGTERM');
    const idle = `UPDATE connections.connections SET refresh_at = now() WHERE id = ANY ($1)`;
    await rowsOf(its.product.databaseUrl, idle, [connections.map(({ id }) => id)]);
    its.issuer.slow({ delay: 4_000 });
    for (const name of services()) await its.product.restart(name);
    await its.provider.received(({ url }) => url.startsWith('/login/oauth'));
    await Promise.all(services().map((name) => its.product.kill(name, 'SIGTERM')));
    expect(its.issuer.refreshes.length).toBeLessThan(connections.length);
    its.issuer.slow({});
    for (const name of services()) await its.product.restart(name);
    await eventually(async () => expect(its.issuer.refreshes).toHaveLength(connections.length));
    expect(its.issuer.reused).toEqual([]);
  });

  /** Statements that wait to store a token. */
  const WAITING = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%SET sealed = %'`;
  const waiting = async (): Promise<number> => (await rowsOf(its.product.databaseUrl, WAITING)).length;
});
