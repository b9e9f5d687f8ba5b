// Shapes: none; in full: local
import { openClient, rowsOf } from './support/database.js';
import { drawbridge, type Drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { newWorkspace } from './support/workspace-integrations.js';

/** The concurrency limit of one organization (docs/limits.md). */
const AT_ONCE = 6;
/** Counts the database sessions that wait for a lock of the session with this process id, directly or through another session. */
const WAITING = `
  WITH RECURSIVE waiting AS (
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY(pg_blocking_pids(pid))
    UNION
    SELECT other.pid FROM pg_stat_activity AS other JOIN waiting ON waiting.pid = ANY(pg_blocking_pids(other.pid))
    WHERE datname = current_database()
  )
  SELECT count(*)::int AS count FROM waiting`;

let product: Drawbridge;
beforeAll(async () => {
  product = await drawbridge();
});

it('aborted requests hold no more database work than waiting requests do', async () => {
  const id = await newWorkspace(product.api);
  const theirs = await newWorkspace(product.other);
  const holding = await openClient(product.databaseUrl);
  const { rows } = await holding.query('SELECT pg_backend_pid() AS pid');
  const waiting = async (): Promise<number> =>
    (await rowsOf<{ count: number }>(product.databaseUrl, WAITING, [rows[0].pid]))[0]!.count;
  await holding.query('BEGIN');
  await holding.query('SELECT FROM members.workspaces WHERE id = $1 FOR UPDATE', [id]);
  const headers = { authorization: `Bearer ${product.key}`, 'content-type': 'application/json' };
  const rename = (): (() => void) => {
    const leaving = new AbortController();
    const request = { method: 'PATCH', headers, body: '{"name":"Renamed"}', signal: leaving.signal };
    fetch(`${product.baseUrl}/api/v1/workspaces/${id}`, request).catch(() => undefined);
    return () => leaving.abort();
  };
  const first = Array.from({ length: AT_ONCE }, rename);
  await eventually(async () => expect(await waiting()).toBe(AT_ONCE));
  for (const leave of first) leave();
  const next = Array.from({ length: AT_ONCE }, rename);
  for (let look = 0; look < 5; look++) {
    expect((await product.other.patch(`/api/v1/workspaces/${theirs}`, { name: `Theirs ${look}` })).status).toBe(200);
    expect(await waiting()).toBe(AT_ONCE);
  }
  for (const leave of next) leave();
  await holding.end();
  await eventually(async () =>
    expect((await product.api.patch(`/api/v1/workspaces/${id}`, { name: 'Served' })).status).toBe(200),
  );
});
