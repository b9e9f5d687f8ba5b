import {
  type FakeProvider,
  fakeProvider,
  type Product,
  type RecordedRequest,
  temporaryDatabase,
} from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './api.js';
import { type DatabaseProxy, databaseProxy } from './database-proxy.js';
import { githubWorkspace } from './github.js';
import { ownProduct } from './own-product.js';
import { shared } from './shared.js';
import { waitUntilReady } from './wait-until-ready.js';
import { allExecutions } from './pages.js';

/**
 * A product for one test file, with runs that the test can pause at the provider. With SHAPE=processes it has two gateways and two execution
 * services. The title of the issue that a run creates identifies the run.
 */
export interface HeldRuns {
  product: Product;
  api: Api;
  provider: FakeProvider;
  /** The proxy between all processes and PostgreSQL. Throws unless `withProxy` is set. */
  database: DatabaseProxy;
  /** The names of the processes that execute actions. Unless SHAPE is `processes`, the gateway is the same process. */
  executors: string[];
  gateways: string[];
  bodyOf(title: string, idempotencyKey?: string): object;
  /** Executes with the title as the idempotency key. */
  execute(title: string, signal?: AbortSignal): Promise<Answer>;
  executeWithoutKey(title: string, signal?: AbortSignal): Promise<Answer>;
  /** After this call, the provider receives requests but does not respond until the returned function is called. */
  hold(): () => void;
  /** Waits until the provider has received a request of the run with this title. Returns the first such request. */
  received(title: string): Promise<RecordedRequest>;
  sentTimes(title: string): number;
  /** Returns the entries of the run log with this title. */
  logged(title: string): Promise<any[]>;
  /** Restarts processes, and waits until every gateway reaches every service again. */
  restart(names: string[]): Promise<void>;
  stop(): Promise<void>;
}

export async function heldRuns({
  withProxy = false,
  env: more = {} as Record<string, string>,
} = {}): Promise<HeldRuns> {
  const provider = await fakeProvider();
  const behind = withProxy ? await temporaryDatabase(undefined, shared().template) : undefined;
  const database = behind && (await databaseProxy(behind.url));
  const ORIGIN_MAP = JSON.stringify({ 'https://api.github.com': provider.url });
  const env = { ORIGIN_MAP, ...(database && { DATABASE_URL: database.url }), ...more };
  const product = await ownProduct({ env, replicas: { gateway: 2, execution: 2 } });
  const api = apiOf(product.baseUrl, product.key);
  const { createIssue } = await githubWorkspace(api);
  // A new gateway sends its first calls to the execution service that it connected to first. After these calls it uses both execution services.
  for (let call = 0; call < 10; call++) await api.get('/api/v1/executions');

  const bodyOf = (title: string, idempotencyKey?: string): object => ({
    ...createIssue,
    idempotencyKey,
    input: { ...createIssue.input, title },
  });
  const execute = (body: object, signal?: AbortSignal): Promise<Answer> =>
    api.send('POST', '/api/v1/actions/execute', { body, signal });
  const processes = (kind: RegExp): string[] => Object.keys(product.processes()).filter((name) => kind.test(name));
  return {
    product,
    api,
    provider,
    get database() {
      if (!database) throw new Error('The product has no database proxy. Use heldRuns({ withProxy: true })');
      return database;
    },
    executors: processes(/^(execution|drawbridge)/),
    gateways: processes(/^(gateway|drawbridge)/),
    bodyOf,
    execute: (title, signal) => execute(bodyOf(title, title), signal),
    executeWithoutKey: (title, signal) => execute(bodyOf(title), signal),
    hold() {
      let release = (): void => undefined;
      const until = new Promise<void>((resolve) => (release = resolve));
      provider.on('*', { status: 201, body: { number: 1 }, until });
      return release;
    },
    received: (title) => provider.received(({ body }) => body.title === title),
    sentTimes: (title) => provider.requests.filter(({ body }) => body.title === title).length,
    logged: async (title) => (await allExecutions(api)).filter(({ input }) => input.title === title),
    async restart(names) {
      await Promise.all(names.map((name) => product.restart(name)));
      await waitUntilReady(product);
    },
    async stop() {
      await product.stop();
      await provider.stop();
      await database?.stop();
      await behind?.drop();
    },
  };
}
