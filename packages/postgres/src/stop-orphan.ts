import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { identify, servesData, waitForExit } from './processes.js';

/** Fast shutdown, immediate shutdown, kill; each gets ten seconds. */
const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;

/**
 * Stops the server that a killed process left on `data`, and no other: the pid in postmaster.pid must work in this directory. Call it only while you
 * hold the lock of the data directory: then no living process owns that server.
 */
export async function stopOrphan(data: string, log: (line: string) => void): Promise<void> {
  const server = postmaster(data);
  if (!server) return;
  // Another process has the pid by now. PostgreSQL would mistake it for its own and refuse to start.
  if (!servesData(server.pid, data)) return rmSync(join(data, 'postmaster.pid'), { force: true });

  log(`ending the database server that a killed process left behind (pid ${server.pid})`);
  for (const signal of SIGNALS) {
    process.kill(server.pid, signal);
    if (await waitForExit(server, 10_000)) return;
  }
  throw new Error(`The database server left behind on ${data} (pid ${server.pid}) does not end`);
}

/** Returns whether a server runs on `data`. */
export function isServed(data: string): boolean {
  const server = postmaster(data);
  return server !== undefined && servesData(server.pid, data);
}

function postmaster(data: string) {
  try {
    return identify(Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10));
  } catch {
    return undefined;
  }
}
