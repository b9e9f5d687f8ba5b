import { writeFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

/** Of a process of its own: the first thing that it does. */
if (!parentPort) {
  // A terminal or an init signals the whole group: who started this one decides when it ends, for runs that are under way end first.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
  process.once('disconnect', () => process.exit());
  goFirst();
}

/** Where memory ends, this process goes and not who started it. */
function goFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // no Linux, or not allowed: the kernel takes whom it takes
  }
}
