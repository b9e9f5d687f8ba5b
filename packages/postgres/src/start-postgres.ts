import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createCluster } from './create-cluster.js';
import { endOrphan } from './end-orphan.js';
import { launch, type Server } from './launch.js';
import { acquireLock } from './lock.js';
import { openHome } from './home.js';
import { lockFile, removeRuntime, writeRuntime } from './runtime-file.js';

export type PostgresOptions = {
  /** Folder of this installation; made when absent. As root the database itself is under /var/lib/drawbridge. */
  dataDir: string;
  /** Receives one line for each step and each message of the server. */
  log?: (line: string) => void;
};

export type RunningPostgres = {
  /** Connection string with the password; never log it. */
  url: string;
  /** Settles when the server process ends, for whatever reason. */
  exited: Promise<void>;
  /** Ends sessions, writes a checkpoint, ends the server. A second call waits for the first. */
  stop(): Promise<void>;
  /** Stops the server and deletes its data. For temporary databases. */
  discard(): Promise<void>;
};

/**
 * Starts the embedded PostgreSQL of `dataDir` on a free loopback port and creates its data on first use. Works as root
 * and as a normal user. A server that a killed process left behind on the same data is ended first.
 * Fails when another living process holds `dataDir`, when the platform has no binaries, and when the server does not start.
 */
export async function startPostgres({ dataDir, log = () => {} }: PostgresOptions): Promise<RunningPostgres> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const folder = realpathSync(dataDir);
  const lock = await acquireLock(lockFile(folder));
  try {
    const home = await openHome(folder, log);
    const data = join(home.folder, 'data');
    await endOrphan(data, log);
    const password = await createCluster(home, data, log);

    const server = await launch(home, data, log);
    const url = `postgres://drawbridge:${password}@127.0.0.1:${server.port}/postgres`;
    writeRuntime(folder, { url, pid: server.pid });
    return handle(url, server, () => (removeRuntime(folder), lock.release()), [home.folder, join(folder, 'postgres')]);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function handle(url: string, server: Server, release: () => void, files: string[]): RunningPostgres {
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
