/**
 * Returns the minimum processor time of some runs of `work`, in microseconds and at least 1. Unlike elapsed time it excludes waits on a busy machine,
 * so that tests can compare the cost of a small input with that of a large input.
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

/** Measures asynchronous work as `processorTime` does. The test must do nothing else at the same time. */
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
