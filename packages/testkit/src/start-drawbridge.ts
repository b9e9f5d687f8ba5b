import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, type Running, startChildren } from './child.js';
import { discardEmbedded, embeddedRuntime } from './embedded-database.js';
import { startKafka } from './kafka.js';
import { readLogs } from './log-folder.js';
import { layout, type LayoutOptions, secrets, type Shape } from './shapes.js';
import { temporaryDatabase } from './temporary-database.js';

export { type Built, SHAPES, type Shape } from './shapes.js';

export interface StartOptions extends LayoutOptions {
  shape?: Shape;
  /** Of every process. KAFKA_BROKERS: that Kafka instead of one of its own. DATABASE_URL: that database; it is left in place. */
  env?: Record<string, string>;
  /** With the database that the product brings, in its DATA_DIR; not in the shape `processes`, which has none. */
  embedded?: boolean;
}

export interface Product {
  shape: Shape;
  baseUrl: string;
  /** One for each gateway. */
  baseUrls: string[];
  /** Of the first organization: may do everything. */
  key: string;
  /** Of an embedded database: the one of the last start, for each has a port of its own. */
  readonly databaseUrl: string;
  /** Of the embedded database server of the last start. */
  readonly databasePid: number;
  /** '' where events stay in the process. */
  kafkaBrokers: string;
  /** What the names of its topics begin with. */
  kafkaPrefix: string;
  logFolder: string;
  /** Process ids by name: `drawbridge`, or `members`, `gateway`; `gateway-1`, `gateway-2` when there are several. */
  processes(): Record<string, number>;
  /** Sends the signal (default SIGKILL) and waits until the process is gone. */
  kill(name: string, signal?: NodeJS.Signals): Promise<number | null>;
  /** Starts it again where it was, after `kill`, from now on with these variables too. Waits until it is ready. */
  restart(name: string, env?: Record<string, string>): Promise<void>;
  /** All that the processes have written so far. */
  logs(): string;
  /** Ends every process by SIGTERM, then the Kafka and the database made for it. Returns the exit codes by name. */
  stop(): Promise<Record<string, number | null>>;
}

/** Starts the product as an operator does, on a database of its own, and waits until every process is ready. */
export async function startDrawbridge({
  shape = 'local',
  env = {},
  embedded = false,
  ...options
}: StartOptions = {}): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  const cleanup: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const release = async (): Promise<void> => {
    for (const step of cleanup.reverse()) await step();
  };
  try {
    const own = await dependencies({ shape, env, embedded, folder, cleanup });
    const all = { ...secrets(), DATA_DIR: join(folder, 'data'), ...env, ...own };
    const { commands, baseUrls } = await layout(shape, all, options);
    const running = new Map<string, Running>();
    cleanup.push(() => Promise.all([...running.values()].map((child) => child.end('SIGKILL'))));
    await start(commands, running, folder);
    return handle({ shape, baseUrls, folder, commands, running, release, env: all });
  } catch (error) {
    await release();
    throw error;
  }
}

/** The database, and with Kafka the broker, that were not given. */
async function dependencies({ shape, env, embedded, folder, cleanup }: Wanted): Promise<Record<string, string>> {
  mkdirSync(join(folder, 'data'));
  const found: Record<string, string> = {};
  if (embedded) {
    cleanup.push(() => discardEmbedded(join(folder, 'data')));
  } else if (!env['DATABASE_URL']) {
    const database = await temporaryDatabase();
    cleanup.push(database.drop);
    found['DATABASE_URL'] = database.url;
  }
  if (shape !== 'local' && !env['KAFKA_BROKERS']) {
    const kafka = await startKafka(folder);
    cleanup.push(() => kafka.end('SIGTERM'));
    found['KAFKA_BROKERS'] = kafka.brokers;
  }
  return found;
}

interface Wanted {
  shape: Shape;
  env: Record<string, string>;
  embedded: boolean;
  folder: string;
  cleanup: (() => unknown)[];
}

async function start(commands: Command[], running: Map<string, Running>, folder: string): Promise<void> {
  for (const child of await startChildren(commands, folder)) running.set(child.name, child);
}

interface Started {
  shape: Shape;
  baseUrls: string[];
  folder: string;
  commands: Command[];
  running: Map<string, Running>;
  release: () => Promise<void>;
  env: Record<string, string>;
}

function handle({ shape, baseUrls, folder, commands, running, release, env }: Started): Product {
  const find = (name: string): Running => {
    const child = running.get(name);
    if (!child) throw new Error(`No process "${name}"; there are ${[...running.keys()].join(', ')}`);
    return child;
  };
  const dataDir = env['DATA_DIR'] ?? '';
  return {
    shape,
    baseUrl: baseUrls[0] ?? '',
    baseUrls,
    key: env['BOOTSTRAP_API_KEY'] ?? '',
    get databaseUrl() {
      return env['DATABASE_URL'] ?? embeddedRuntime(dataDir).url;
    },
    get databasePid() {
      return embeddedRuntime(dataDir).pid;
    },
    kafkaBrokers: env['KAFKA_BROKERS'] ?? '',
    kafkaPrefix: env['KAFKA_PREFIX'] ?? '',
    logFolder: folder,
    processes: () => Object.fromEntries([...running.values()].map(({ name, pid }) => [name, pid])),
    kill: (name, signal = 'SIGKILL') => find(name).end(signal),
    restart: (name, changed = {}) => {
      const its = commands.filter((command) => command.name === name);
      for (const command of its) command.env = { ...command.env, ...changed };
      return start(its, running, folder);
    },
    logs: () => readLogs(folder),
    async stop() {
      const ends = [...running.values()].map(async (child) => [child.name, await child.end('SIGTERM')] as const);
      const codes = Object.fromEntries(await Promise.all(ends));
      await release();
      return codes;
    },
  };
}
