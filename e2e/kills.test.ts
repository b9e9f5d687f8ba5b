// Shapes: none; in full: local, processes
import { randomInt } from 'node:crypto';
import { type FakeProvider, fakeProvider, type Product } from '@drawbridge/testkit';
import { type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { githubWorkspace } from './support/github.js';
import { killBeforeMark, killBeforePublish, PUBLISHERS } from './support/kill-points.js';
import { type Load, startLoad } from './support/load.js';
import { operatorOf } from './support/operator.js';
import { ownProduct } from './support/own-product.js';
import { allExecutions, allIds } from './support/pages.js';
import { shared } from './support/shared.js';
import { unexpectedErrors } from './support/unexpected.js';

/** A killed Kafka consumer keeps its partitions for 10 s. */
const EVENTS_MS = 60_000;

/** True if each service is a separate process, so that a test can kill any of them. Otherwise there is only one process. */
const isSeparate = shared().shape === 'processes';
/** One number for each kill of a kind. */
const turns = Array.from({ length: isSeparate ? PUBLISHERS.length : 2 }, (_, turn) => turn);

let provider: FakeProvider;
let product: Product;
let api: Api;
let load: Load;

beforeAll(async () => {
  provider = await fakeProvider();
  provider.on('*', { status: 201, body: { number: 1 }, delay: 20 });
  // While the members service is down, no key can be verified, and requests count against the limit of the address. This limit is off for the test.
  const env = { ORIGIN_MAP: JSON.stringify({ 'https://api.github.com': provider.url }), PUBLIC_RATE_LIMIT: 'null' };
  product = await ownProduct({ env, embedded: !isSeparate });
  api = apiOf(product.baseUrl, product.key);
  load = startLoad(api, await githubWorkspace(api));
});
afterAll(async () => {
  await product?.stop();
  await provider.stop();
});

const processOf = (service: string): string => (isSeparate ? service : 'drawbridge');

describe('kill -9, repeated during writes:', () => {
  it('of any process at any moment', async () => {
    const names = Object.keys(product.processes());
    for (const turn of turns) {
      const name = names[turn % names.length]!;
      await load.more(randomInt(1, 40));
      if (!isSeparate && turn % 2 === 0) process.kill(product.databasePid, 'SIGKILL');
      await product.kill(name);
      await product.restart(name);
    }
  });

  it.each([
    ['of events and their publication', killBeforePublish],
    ['on the bus and the mark in the outbox', killBeforeMark],
  ])('between the commit %s', async (_where, killAt) => {
    for (const turn of turns) {
      const publisher = PUBLISHERS[turn % PUBLISHERS.length]!;
      const name = processOf(publisher);
      const { databaseUrl } = product;
      expect(await killAt({ databaseUrl, publisher, kill: () => product.kill(name) })).toBeGreaterThan(0);
      await product.restart(name);
    }
  });

  it('every response is a success, an interrupted run or an outage', async () => {
    await load.stop();
    expect({ answers: load.surprises, errors: unexpectedErrors(product.logs()) }).toEqual({
      answers: [],
      errors: [],
    });
  });
});

describe('after all kills', () => {
  it('every acknowledged workspace and connection exists, and no deleted one', async () => {
    const { workspaces, connections, deletedWorkspaces, deletedConnections } = load.acknowledged;
    const workspacesNow = await allIds(api, '/api/v1/workspaces', 'workspaces');
    const connectionsNow = await allIds(api, '/api/v1/connections', 'connections');
    expect(missing(workspaces, workspacesNow)).toEqual([]);
    expect(missing(connections, connectionsNow)).toEqual([]);
    expect(missing(deletedWorkspaces, workspacesNow)).toEqual([...deletedWorkspaces]);
    // The connections of a deleted workspace are deleted after its event arrives.
    await eventually(async () => {
      const left = await allIds(api, '/api/v1/connections', 'connections');
      expect(missing(deletedConnections, left)).toEqual([...deletedConnections]);
    }, EVENTS_MS);
  });

  it('every acknowledged run is logged once and reached the provider once', async () => {
    const { runs, keyedRuns } = load.acknowledged;
    const log = await allExecutions(api);
    const logged = countBy(log, ({ input }) => input.title);
    const sent = countBy(provider.requests, ({ body }) => body.title);
    const succeeded = [...runs, ...[...keyedRuns].filter(([, end]) => end === 'success').map(([title]) => title)];
    expect(succeeded.filter((title) => logged.get(title) !== 1 || sent.get(title) !== 1)).toEqual([]);
  });

  it('a run with a key was sent at most once and ended once, even if its process died', async () => {
    const log = new Map((await allExecutions(api)).map((run) => [run.input.title, run]));
    const sent = countBy(provider.requests, ({ body }) => body.title);
    for (const [title, status] of load.acknowledged.keyedRuns) {
      // The run log may have no entry: if the gateway reaches no process during a lease, it reports a failure for a run that may never have started.
      const ended = log.get(title)?.status ?? 'failed';
      expect({ title, ended }).toEqual({ title, ended: status });
      expect(sent.get(title) ?? 0).toBeLessThanOrEqual(1);
    }
  });

  it('every event was applied once: the usage equals the run log', async () => {
    const { length } = await allExecutions(api);
    await eventually(async () => {
      const { usage } = (await api.get('/api/v1/organization')).body;
      expect(usage.actionsThisMonth).toBe(length);
    }, EVENTS_MS);
  });

  it('the audit log has each acknowledged change and each use of a credential once, in a valid chain', async () => {
    const { workspaces, deletedWorkspaces, connections, deletedConnections } = load.acknowledged;
    const changes = [
      ...[...workspaces, ...deletedWorkspaces].map((id) => `workspace.create ${id}`),
      ...[...deletedWorkspaces].map((id) => `workspace.delete ${id}`),
      ...[...connections, ...deletedConnections].map((id) => `connection.create ${id}`),
    ];
    const uses = (await allExecutions(api)).map(({ id }) => id);
    await eventually(async () => {
      const entries = await rowsOf<{ entry: string }>(product.databaseUrl, AUDITED);
      const counts = countBy(entries, ({ entry }) => entry);
      expect([...changes, ...uses].filter((entry) => counts.get(entry) !== 1)).toEqual([]);
    }, EVENTS_MS);
    expect(await operatorOf(product.databaseUrl).verifyAuditLog()).toMatchObject({ verified: true });
  });

  it('no row of a deleted workspace or connection remains, and no event is pending or dead', async () => {
    const { deletedWorkspaces, deletedConnections } = load.acknowledged;
    const ids = [...deletedWorkspaces, ...deletedConnections];
    await eventually(async () => expect(await rowsOf(product.databaseUrl, LEFT_OVER, [ids])).toEqual([]), EVENTS_MS);
    expect(product.logs()).not.toContain('an event was moved to the dead letters');
  });
});

const AUDITED = `
  SELECT CASE action WHEN 'connection.use' THEN split_part(reason, 'execution ', 2) ELSE action || ' ' || resource_id END AS entry
  FROM members.audit_entries`;

const LEFT_OVER = `
  SELECT 'integration' AS what, id FROM catalog.workspace_integrations
  WHERE workspace_id = ANY ($1::uuid[]) OR connection_id = ANY ($1::uuid[])
  UNION ALL SELECT 'connection', id FROM connections.connections WHERE workspace_id = ANY ($1::uuid[])
  ${PUBLISHERS.map((name) => `UNION ALL SELECT '${name} event', id FROM ${name}.outbox WHERE published_at IS NULL`).join(' ')}`;

const missing = (wanted: Set<string>, found: Set<string>): string[] => [...wanted].filter((id) => !found.has(id));

function countBy<T>(items: T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
