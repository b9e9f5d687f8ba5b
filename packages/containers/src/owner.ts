import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Names the process that made a container or a network. Only this process uses and removes it while this process runs. */
export const OWNER_LABEL = 'drawbridge.sandbox.owner';

/** Longer than a container is in use. Containers end with the connection of their owner, so what is removed so late has ended long before. */
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

/** Returns whether the owner has ended. This cannot be known of a process on another machine, so it is assumed after two hours. */
export function isAbandoned({ labels, createdAt }: Made): boolean {
  const owner = labels[OWNER_LABEL] ?? '';
  const [host, pid] = owner.split('/');
  if (host !== hostname()) return Date.now() - createdAt > FOREIGN_MS;
  return owner === OWNER || owner !== ownerOf(Number(pid));
}

/** Returns when a process started, in clock ticks, so that a later process with the same id is another one; '' if there is none. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')')).split(' ')[20] ?? '';
  } catch {
    return '';
  }
}
