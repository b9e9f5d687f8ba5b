import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { createCluster, requireSameVersion } from './create-cluster.js';
import { stopOrphan } from './processes.js';
import { type SupervisedServer, superviseServer } from './supervise-server.js';
import { launch, type ServerSettings } from './launch.js';
import { acquireLock, lockFile, removeRuntime, writeRuntime } from './lock.js';
import { openServerHome } from './server-home.js';

export type PostgresOptions = {
  /** The folder of this installation, created if absent. For root, the database itself is under /var/lib/drawbridge. */
  dataDir: string;
  /** Overrides the settings of launch.ts, which are for one product with durable data. */
  settings?: ServerSettings;
  /** Receives each message of the server. */
  log?: (line: string) => void;
  /** Receives messages for the operator: each slow step, and each unexpected exit of the server. */
  say?: (line: string) => void;
};

export type RunningPostgres = {
  /** The connection string, including the password. Never log it. */
  url: string;
  /** Resolves with the reason when the server has exited and will not be restarted, after `stop` or too many crashes. */
  exited: Promise<string>;
  /** Ends sessions, writes a checkpoint and stops the server. A second call waits for the first. */
  stop(): Promise<void>;
  /** Stops the server and deletes its data. Use it for temporary databases. */
  discard(): Promise<void>;
};

/**
 * Starts the embedded PostgreSQL of `dataDir` on a free loopback port, and creates its data on first use. Works as root and as a normal user. Stops a
 * server that a killed process left running on the same data. Restarts the server after a crash, a limited number of times. Throws if another running
 * process holds `dataDir`, if there are no binaries for the platform, or if the server does not start.
 */
export async function startPostgres({
  dataDir,
  settings = {},
  log = silent,
  say = silent,
}: PostgresOptions): Promise<RunningPostgres> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const folder = realpathSync(dataDir);
  const lock = await acquireLock(lockFile(folder));
  try {
    const home = await openServerHome(folder, say);
    const data = join(home.folder, 'data');
    requireSameVersion(data, folder);
    const password = await createCluster(home, data, say);

    const urlOf = (port: number): string => `postgres://drawbridge:${password}@127.0.0.1:${port}/postgres`;
    const server = await superviseServer({
      launch: async (port) => {
        await stopOrphan(data, say);
        return launch({ home, data, port, settings, log });
      },
      onStart: ({ port, pid }) => writeRuntime(folder, { url: urlOf(port), pid }),
      say,
    });
    const release = (): void => (removeRuntime(folder), lock.release());
    return handle(urlOf(server.port), server, release, [home.folder, join(folder, 'postgres')]);
  } catch (error) {
    lock.release();
    throw nameSystemError(error, folder);
  }
}

const silent = (): void => {};

/** Adds the data directory to a system error, which usually is a missing permission and does not contain the path of the installation. */
function nameSystemError(error: unknown, folder: string): unknown {
  if (!isNativeError(error) || !('syscall' in error)) return error;
  const advice = 'start as the user who created it, or set another DATA_DIR';
  return new Error(`DATA_DIR ${folder}: ${error.message}; ${advice}`, { cause: error });
}

function handle(url: string, server: SupervisedServer, release: () => void, files: string[]): RunningPostgres {
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= server.stop().finally(release));
  return {
    url,
    exited: server.exited,
    stop,
    async discard() {
      await stop();
      for (const file of files) rmSync(file, { recursive: true, force: true });
    },
  };
}
