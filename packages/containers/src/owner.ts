import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** The label that identifies the process that created a container or a network. While this process runs, only it uses and removes the resource. */
export const OWNER_LABEL = 'drawbridge.sandbox.owner';

/**
 * Age at which a container of another machine counts as abandoned. It exceeds the time for which a container is used, and containers exit when the
 * connection to their owner is lost.
 */
const FOREIGN_MS = 2 * 3_600_000;

interface Made {
  labels: Record<string, string>;
  /** Epoch milliseconds. */
  createdAt: number;
}

export const OWNER = ownerOf(process.pid);

function ownerOf(pid: number): string {
  return `${hostname()}/${pid}/${startOf(pid)}`;
}

/** Returns whether the owner has exited. For a process on another machine this cannot be determined, so the function returns true after two hours. */
export function isAbandoned({ labels, createdAt }: Made): boolean {
  const owner = labels[OWNER_LABEL] ?? '';
  const [host, pid] = owner.split('/');
  if (host !== hostname()) return Date.now() - createdAt > FOREIGN_MS;
  return owner === OWNER || owner !== ownerOf(Number(pid));
}

/**
 * Returns the time at which a process started, in clock ticks, or '' if there is no such process. The time distinguishes the process from a later
 * process with the same id.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')')).split(' ')[20] ?? '';
  } catch {
    return '';
  }
}
