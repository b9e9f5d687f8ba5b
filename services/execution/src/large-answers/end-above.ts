import { type ChildProcess } from 'node:child_process';
import { residentBytes } from './resident-bytes.js';

const EVERY_MS = 20;

/**
 * Ends a process that holds more memory than that. V8 bounds by its flags what it collects, and of that not the youngest; large texts and
 * arrays are beside it. Where there is no /proc the flags are all there is.
 */
export function endAbove(mostBytes: number, child: ChildProcess): void {
  if (child.pid === undefined) return; // it did not start, and so will not end
  const watch = setInterval(() => {
    if (residentBytes(child.pid) > mostBytes) child.kill('SIGKILL');
  }, EVERY_MS).unref();
  child.once('exit', () => clearInterval(watch));
}
