import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@drawbridge/postgres';
import { type Command, type Running, startChildren } from './child.js';
import { startKafka } from './servers.js';
import { layout, type LayoutOptions, secrets, type Shape } from './shapes.js';
import { temporaryDatabase } from './temporary-database.js';

export interface StartOptions extends LayoutOptions {
  shape?: Shape;
  /**
   * The environment of every process. With KAFKA_BROKERS or DATABASE_URL, the product uses that server instead of a temporary one. A database in
   * DATABASE_URL is not deleted.
   */
  env?: Record<string, string>;
  /** Set to use the embedded database in DATA_DIR. Not available in the shape `processes`. */
  embedded?: boolean;
  /** The name of a migrated database of which the temporary database is a copy, because to apply all migrations takes half the time of a start. */
  template?: string;
}

export interface Product {
  shape: Shape;
  baseUrl: string;
  /** One URL per gateway. */
  baseUrls: string[];
  /** The API key of the first organization, with all permissions. */
  key: string;
  /** For an embedded database, the URL of the last start, because each start uses another port. */
  readonly databaseUrl: string;
  /** The process id of the embedded database server of the last start. */
  readonly databasePid: number;
  /** The addresses of the Kafka brokers. Empty if the product uses the in-process bus. */
  kafkaBrokers: string;
  kafkaPrefix: string;
  logFolder: string;
  /** Process ids by name: `drawbridge`, or `members`, `gateway`. If there are several, `gateway-1`, `gateway-2`. */
  processes(): Record<string, number>;
  /** Sends the signal (default SIGKILL) and waits for the exit. */
  kill(name: string, signal?: NodeJS.Signals): Promise<number | null>;
  /** Restarts a process at the same address after `kill`. The variables in `env` also apply to later restarts. Waits until it is ready. */
  restart(name: string, env?: Record<string, string>): Promise<void>;
  /** Returns the output of all processes. */
  logs(): string;
  /** Stops every process with SIGTERM, then the temporary Kafka and database. Returns the exit codes by name. */
  stop(): Promise<Record<string, number | null>>;
}

/** Starts the product as an operator would, with a temporary database, and waits until every process is ready. */
export async function startDrawbridge({
  shape = 'local',
  env = {},
  embedded = false,
  template,
  ...options
}: StartOptions = {}): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  const cleanup: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const release = async (): Promise<void> => {
    for (const step of cleanup.reverse()) await step();
  };
  try {
    const own = await dependencies({ shape, env, embedded, template, folder, cleanup });
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

/** Starts a temporary database, and a broker if the shape uses Kafka, unless `env` contains them. */
async function dependencies({
  shape,
  env,
  embedded,
  template,
  folder,
  cleanup,
}: Wanted): Promise<Record<string, string>> {
  mkdirSync(join(folder, 'data'));
  const found: Record<string, string> = {};
  if (embedded) {
    cleanup.push(() => discardEmbedded(join(folder, 'data')));
  } else if (!env['DATABASE_URL']) {
    const database = await temporaryDatabase(undefined, template);
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
  template: string | undefined;
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

/** Returns the URL and process id of the database of a DATA_DIR, as the product last recorded them. */
function embeddedRuntime(dataDir: string): { url: string; pid: number } {
  return JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8')) as { url: string; pid: number };
}

/**
 * Deletes the embedded database, which for root is outside of the DATA_DIR. The database is started first, which stops a server that a killed product
 * left running.
 */
async function discardEmbedded(dataDir: string): Promise<void> {
  const server = await startPostgres({ dataDir });
  await server.discard();
}

/** Returns the concatenated output of all processes of a product. */
export function readLogs(folder: string): string {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}
