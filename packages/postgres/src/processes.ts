import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Fast shutdown, immediate shutdown, kill. Each gets ten seconds. */
const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;

/**
 * Stops the server that a killed process left running on `data`, and no other server: the process with the pid in postmaster.pid must use this
 * directory. Call it only while you hold the lock of the data directory, because then no running process owns that server.
 */
export async function stopOrphan(data: string, log: (line: string) => void): Promise<void> {
  const server = postmaster(data);
  if (!server) return;
  // Another process has the same pid. PostgreSQL would mistake it for a server and not start.
  if (!servesData(server.pid, data)) return rmSync(join(data, 'postmaster.pid'), { force: true });

  log(`ending the database server that a killed process left behind (pid ${server.pid})`);
  for (const signal of SIGNALS) {
    process.kill(server.pid, signal);
    if (await waitForExit(server, 10_000)) return;
  }
  throw new Error(`The previous database server on ${data} (pid ${server.pid}) does not stop`);
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

/** A pid alone is not sufficient: after a restart, especially in a container, another process may have it. */
export type ProcessIdentity = { pid: number; startedAt: string };

/** Returns the process with this pid, or undefined if there is none or it is a zombie. */
export function identify(pid: number): ProcessIdentity | undefined {
  try {
    const [state, startedAt] = existsSync('/proc/self/stat') ? fromProc(pid) : fromPs(pid);
    return startedAt && !state?.startsWith('Z') ? { pid, startedAt } : undefined;
  } catch {
    return undefined;
  }
}

export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  return identify(pid)?.startedAt === startedAt;
}

/** Waits until the process has exited. Returns false if it still runs after `milliseconds`. */
async function waitForExit(process: ProcessIdentity, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; isAlive(process); await sleep(20)) {
    if (Date.now() > end) return false;
  }
  return true;
}

/** Returns whether this process is a PostgreSQL server on `data`. The working directory of a server is its data directory. */
function servesData(pid: number, data: string): boolean {
  try {
    if (existsSync('/proc/self/cwd')) return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
    return ps(pid, 'args=').includes(`-D ${data} `);
  } catch {
    return false;
  }
}

/** Returns fields 3 and 22 of /proc/<pid>/stat (proc(5)). The process name before them may contain spaces and parentheses. */
function fromProc(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [fields[0], fields[19]];
}

function fromPs(pid: number) {
  return [ps(pid, 'stat='), ps(pid, 'lstart=')];
}

function ps(pid: number, column: string) {
  return execFileSync('ps', ['-ww', '-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
}
