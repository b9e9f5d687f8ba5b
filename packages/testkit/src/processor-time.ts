/**
 * Returns the least processor time that `work` takes in some runs, in microseconds and at least 1. Unlike elapsed time it leaves out the
 * waits of a busy machine, so that tests can compare the cost of a small input with that of a large one.
 */
export function processorTime(work: () => unknown, runs = 5): number {
  const times = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.max(1, Math.min(...times));
}

/** Measures work that lets other work run in between, as `processorTime` does. The test must do nothing else meanwhile. */
export async function processorTimeOf(work: () => Promise<unknown>, runs = 5): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return Math.max(1, least);
}
