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
  /** The value of OWNER_LABEL, or '' if there is none. */
  owner: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

export const OWNER = ownerOf(process.pid);

function ownerOf(pid: number): string {
  return `${hostname()}/${pid}/${startOf(pid)}`;
}

/** Returns whether the owner has exited. For a process on another machine this cannot be determined, so the function returns true after two hours. */
export function isAbandoned({ owner, createdAt }: Made): boolean {
  const pid = owner.split('/')[1];
  if (ownerHost(owner) !== hostname()) return Date.now() - createdAt > FOREIGN_MS;
  return owner === OWNER || owner !== ownerOf(Number(pid));
}

/** Returns the host name of an owner. In Kubernetes it is the name of a pod. */
export function ownerHost(owner: string): string {
  return owner.split('/')[0] ?? '';
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
