import { type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

const EVERY_MS = 20;

/**
 * Ends a process that holds more memory than that. V8 bounds by its flags what it collects, and of that not the youngest; large texts and
 * arrays are beside it. Where there is no /proc the flags are all there is.
 */
export function endAbove(mostBytes: number, child: ChildProcess): void {
  const watch = setInterval(() => {
    if (residentBytes(child.pid) > mostBytes) child.kill('SIGKILL');
  }, EVERY_MS).unref();
  child.once('exit', () => clearInterval(watch));
}

function residentBytes(pid: number | undefined): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0; // it has ended, or this is no Linux
  }
}
