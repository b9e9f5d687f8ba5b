// Shapes: none; in full: local, processes
import { type FakeProvider, fakeProvider, type Product } from '@drawbridge/testkit';
import { type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { githubWorkspace } from './support/github.js';
import { expectWithinASecond } from './support/expect-within.js';
import { LOAD_WRITERS, startLoad } from './support/load.js';
import { ownProduct } from './support/own-product.js';
import { waitUntilReady } from './support/wait-until-ready.js';
import { shared } from './support/shared.js';
import { unexpectedErrors } from './support/unexpected.js';

const { shape } = shared();
/** A time limit that allows for several calls between services that hang until their timeout of 10 s. */
const HANGING_MS = 60_000;

let provider: FakeProvider;
let product: Product;
let api: Api;

beforeAll(async () => {
  provider = await fakeProvider();
  const env = { ORIGIN_MAP: JSON.stringify({ 'https://api.github.com': provider.url }) };
  product = await ownProduct({ env, embedded: shape !== 'processes' });
  api = apiOf(product.baseUrl, product.key);
});
afterAll(async () => {
  await product?.stop();
  await provider.stop();
});

describe('a database that drops every connection', () => {
  const DROPS = 25;
  const DROP = `
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;

  it('causes outages only for current calls, and no completed run is reported as failed', async () => {
    const load = startLoad(api, await githubWorkspace(api));
    for (let drop = 0; drop < DROPS; drop++) {
      await load.more(5);
      await rowsOf(product.databaseUrl, DROP);
    }
    await load.stop();
    expect(load.outages()).toBeLessThanOrEqual(DROPS * LOAD_WRITERS * 2);
    const sent = new Set(provider.requests.map(({ body }) => body.title));
    expect([...load.acknowledged.refusedRuns].filter((title) => sent.has(title))).toEqual([]);
    expect({ answers: load.surprises, errors: unexpectedErrors(product.logs()) }).toEqual({ answers: [], errors: [] });
    await waitUntilReady(product);
  });
});

// Only a single process has an embedded database, so these tests do not apply to separate processes.
if (shape !== 'processes') {
  describe('the single process', () => {
    it('exits with 0 on SIGTERM and stops its database', async () => {
      const server = product.databasePid;
      expect(isRunning(server)).toBe(true);
      expect(await product.kill('drawbridge', 'SIGTERM')).toBe(0);
      expect(isRunning(server)).toBe(false);
      await product.restart('drawbridge');
    });

    it('stops the database server that a killed process left behind', async () => {
      const orphan = product.databaseUrl;
      await product.kill('drawbridge');
      expect(await rowsOf(orphan, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await product.restart('drawbridge');
      await expect(rowsOf(orphan, 'SELECT 1 AS one')).rejects.toThrow('ECONNREFUSED');
      expect((await api.get('/api/v1/workspaces')).status).toBe(200);
    });

    it('restarts its database server after a crash, with a short outage', async () => {
      const load = startLoad(api, await githubWorkspace(api));
      for (let death = 0; death < 2; death++) {
        await load.more(5);
        const server = product.databasePid;
        process.kill(server, 'SIGKILL');
        await eventually(async () => expect(product.databasePid).not.toBe(server), HANGING_MS);
      }
      await load.more(20);
      await load.stop();
      expect({ answers: load.surprises, errors: unexpectedErrors(product.logs()) }).toEqual({
        answers: [],
        errors: [],
      });
      await waitUntilReady(product);
    });

    it('is unready while its database server is down, exits if it keeps crashing, and can start again', async () => {
      let hasEnded = false;
      const ended = product.kill('drawbridge', 'SIGCONT').finally(() => (hasEnded = true));
      const answers = new Set<string>();
      while (!hasEnded) {
        isRunning(product.databasePid, 'SIGKILL');
        const { status, body } = await apiOf(product.baseUrl)
          .get('/readyz')
          .catch(() => ({ status: 0, body: {} }));
        answers.add(`${status} ${body.status}`);
      }
      expect(await ended).toBe(1);
      expect(answers).toContain('503 unavailable');
      expect(product.logs()).toContain('the database server keeps exiting and is not restarted');

      await product.restart('drawbridge');
      expect((await api.get('/readyz')).status).toBe(200);
    });
  });
}

// Only separate processes can be stopped individually.
if (shape === 'processes') {
  const paths: Record<string, string> = {
    members: '/api/v1/workspaces',
    catalog: '/api/v1/integrations?summary=true',
    connections: '/api/v1/connections',
    execution: '/api/v1/executions',
  };
  const services = Object.keys(paths);
  const signal = (names: string[], name: NodeJS.Signals) =>
    names.forEach((service) => process.kill(product.processes()[service]!, name));

  describe('a service that is down', () => {
    it.each(services)('answers 503 UNAVAILABLE until it is back: %s', async (service) => {
      const path = paths[service]!;
      await eventually(async () => expect((await api.get(path)).status).toBe(200));
      expect(await product.kill(service, 'SIGTERM')).toBe(0);
      // A gateway caches a verified key for one second.
      await eventually(async () => expectError(await api.get(path), 503, 'UNAVAILABLE'));
      await expectWithinASecond(async () => {
        const { status, body } = await apiOf(product.baseUrl).get('/readyz');
        expect({ status, body }).toEqual({
          status: 503,
          body: { status: 'unavailable', unready: [service], degraded: [], reasons: [] },
        });
      });
      for (const asker of [api, apiOf(product.baseUrl)]) expect((await asker.get('/healthz')).status).toBe(200);

      await product.restart(service);
      await eventually(async () => expect((await api.get(path)).status).toBe(200));
      await waitUntilReady(product);
    });
  });

  describe('a service that hangs', () => {
    it.each([[['catalog', 'connections', 'execution']], [['members']]])(
      'answers 504 TIMEOUT until it resumes: %s',
      async (names) => {
        signal(names, 'SIGSTOP');
        try {
          const answers = await Promise.all(names.map((name) => eventually(() => unlessOk(paths[name]!), HANGING_MS)));
          for (const answer of answers) expectError(answer, 504, 'TIMEOUT');
          await expectWithinASecond(async () => {
            const { body } = await apiOf(product.baseUrl).get('/readyz');
            expect(body.unready).toEqual(expect.arrayContaining(names));
          });
        } finally {
          signal(names, 'SIGCONT');
        }
        await waitUntilReady(product);
        for (const name of names) expect((await api.get(paths[name]!)).status).toBe(200);
      },
    );
  });
}

/** Throws on 200, because a cached key may still be accepted. */
async function unlessOk(path: string) {
  const answer = await api.get(path);
  if (answer.status === 200) throw new Error(`${path} still answers`);
  return answer;
}

/** Sends the signal, and returns whether the process exists. */
function isRunning(pid: number, signal: NodeJS.Signals | 0 = 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
