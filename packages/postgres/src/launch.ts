import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServerHome } from './server-home.js';

export type Server = {
  port: number;
  pid: number;
  /** Resolves with its exit code or signal, and its last log lines. */
  exited: Promise<string>;
  stop(): Promise<void>;
};

interface LaunchOptions {
  home: ServerHome;
  data: string;
  /** The port to listen on. Default: a free port. */
  port?: number;
  settings: ServerSettings;
  /** Receives each line that the server writes. */
  log: (line: string) => void;
}

/** Messages of temporary errors: another process took the port, or sessions of a killed server are still ending. */
const PASSING = /Address already in use|pre-existing shared memory|lock file .* already exists/;
const ATTEMPTS = 20;
/** Time limit of a fast shutdown. After it the server is stopped immediately, and recovers from its write-ahead log when it next starts. */
const PATIENCE = 20_000;

/** Starts the server and waits until it accepts connections. Throws an error with the server's last log lines. */
export async function launch(wanted: LaunchOptions): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryLaunch(wanted);
    } catch (error) {
      if (attempt === ATTEMPTS || !PASSING.test(String(error))) throw error;
      await sleep(250);
    }
  }
}

async function tryLaunch({ home, data, port: given, settings, log }: LaunchOptions): Promise<Server> {
  const port = given ?? (await freePort());
  // The process is detached, because Ctrl-C signals every process of the terminal's group, and the database must run until the shutdown completes.
  const flags = ['-D', data, '-p', String(port), ...settingFlags(settings)];
  const child = spawn(join(home.native, 'bin/postgres'), flags, {
    ...home.user,
    cwd: home.folder,
    env: SERVER_ENV,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const words = lastWords(child, log);
  const exited = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => resolve([signal ?? `code ${code}`, ...words].join(' | ')));
  });
  const killOnExit = () => child.kill('SIGINT');
  process.once('exit', killOnExit);
  void exited.then(() => process.off('exit', killOnExit));

  await ready(child, exited);
  return { port, pid: child.pid ?? 0, exited, stop: () => shutDown(child, exited) };
}

/** Returns the server's last log lines, at most five. The array is updated while the server runs. */
function lastWords(child: ChildProcess, log: (line: string) => void): string[] {
  const words: string[] = [];
  if (child.stderr) {
    createInterface(child.stderr).on('line', (line) => {
      log(line);
      words.push(line);
      if (words.length > 5) words.shift();
      if (!line.includes('database system is ready to accept connections')) return;
      words.length = 0; // log lines of the start do not explain an exit
      child.emit('ready');
    });
  }
  return words;
}

function ready(child: ChildProcess, exited: Promise<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('ready', resolve).once('error', reject);
    void exited.then((end) => reject(new Error(`PostgreSQL exited: ${end}`)));
  });
}

async function shutDown(child: ChildProcess, exited: Promise<string>) {
  child.kill('SIGINT');
  const impatient = setTimeout(() => child.kill('SIGQUIT'), PATIENCE);
  await exited;
  clearTimeout(impatient);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Inherits no variables: PGDATA and LD_LIBRARY_PATH would change the server, and LC_* its messages. */
export const SERVER_ENV = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };

/** Values by their names in postgresql.conf. */
export type ServerSettings = Record<string, string>;

/**
 * Settings for one machine, with low memory use when idle. Durability (fsync, synchronous_commit, full_page_writes) keeps its default, which is on.
 */
const SETTINGS: ServerSettings = {
  // A process opens at most ten pooled connections. The remaining connections are for LISTEN and for operators.
  max_connections: '60',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '32MB',
  huge_pages: 'off',
  // Avoids the three I/O worker processes of the default. Asynchronous reads have no benefit for a database that fits in memory.
  io_method: 'sync',
  jit: 'off',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  autovacuum_worker_slots: '1',
  autovacuum_max_workers: '1',
  // This server has no replica and no archive.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  timezone: 'UTC',
  // Clients receive the errors of their statements. In the log, these errors would only disclose values of rows.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  // The log that receives these lines adds the time.
  log_line_prefix: '',
};

function settingFlags(changed: ServerSettings): string[] {
  return Object.entries({ ...SETTINGS, ...changed }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
