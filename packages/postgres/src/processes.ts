import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A pid alone is not enough: after a restart, above all in a container, another process may have it. */
export type ProcessIdentity = { pid: number; startedAt: string };

/** Returns the process with this pid; undefined if there is none, or only a zombie. */
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

/** Waits until the process has ended; returns false if it still runs after `milliseconds`. */
export async function waitForExit(process: ProcessIdentity, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; isAlive(process); await sleep(20)) {
    if (Date.now() > end) return false;
  }
  return true;
}

/** Returns whether this process is a PostgreSQL server on `data`: a server's working directory is its data directory. */
export function servesData(pid: number, data: string): boolean {
  try {
    if (existsSync('/proc/self/cwd')) return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
    return ps(pid, 'args=').includes(`-D ${data} `);
  } catch {
    return false;
  }
}

/** Returns fields 3 and 22 of /proc/<pid>/stat (proc(5)). The name before them may contain spaces and parentheses. */
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
