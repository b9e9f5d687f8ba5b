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
import { waitUntilReady } from './wait-until-ready.js';
import { allExecutions } from './pages.js';

/**
 * A product of its own whose runs a test can hold at the provider: two gateways and two execution services in the shape
 * `processes`. Runs are told apart by the title of the issue that they make.
 */
export interface HeldRuns {
  product: Product;
  api: Api;
  provider: FakeProvider;
  /** Where it was asked for: all processes reach PostgreSQL through it. */
  database: DatabaseProxy;
  /** The processes that execute, and those that answer callers. In the shapes `local` and `kafka` both are the only one. */
  executors: string[];
  gateways: string[];
  bodyOf(title: string, idempotencyKey?: string): object;
  /** With its title as key. */
  execute(title: string, signal?: AbortSignal): Promise<Answer>;
  executeWithoutKey(title: string, signal?: AbortSignal): Promise<Answer>;
  /** From now on the provider takes requests and answers none before what is returned is called. */
  hold(): () => void;
  /** What reached the provider for this title, waiting for the first. */
  received(title: string): Promise<RecordedRequest>;
  sentTimes(title: string): number;
  /** Its entries in the run log. */
  logged(title: string): Promise<any[]>;
  /** Starts processes that have ended, and waits until every gateway reaches every service again. */
  restart(names: string[]): Promise<void>;
  stop(): Promise<void>;
}

export async function heldRuns({ withProxy = false } = {}): Promise<HeldRuns> {
  const provider = await fakeProvider();
  const behind = withProxy ? await temporaryDatabase() : undefined;
  const database = behind && (await databaseProxy(behind.url));
  const ORIGIN_MAP = JSON.stringify({ 'https://api.github.com': provider.url });
  const env = { ORIGIN_MAP, ...(database && { DATABASE_URL: database.url }) };
  const product = await ownProduct({ env, replicas: { gateway: 2, execution: 2 } });
  const api = apiOf(product.baseUrl, product.key);
  const { createIssue } = await githubWorkspace(api);
  // A gateway that has just met the execution services sends its first calls to the one that it met first.
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
      if (!database) throw new Error('Ask for heldRuns({ withProxy: true })');
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
