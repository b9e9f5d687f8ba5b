import { readFileSync } from 'node:fs';

/** The memory that a process holds; 0 where nobody can say: it has ended, or this is no Linux. */
export function residentBytes(pid: number | undefined): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
