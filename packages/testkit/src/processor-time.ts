/** Runs that took this long together, in microseconds, are enough: noise is a small part of them. */
const ENOUGH = 100_000;
/** The first run also compiles code and collects garbage, which can make it several times slower than the second. Only work that takes longer than `LONG` runs once. */
const LEAST_RUNS = 3;
const LONG = 500_000;

/**
 * Returns the minimum processor time of some runs of `work`, in microseconds and at least 1. Unlike elapsed time it excludes waits on a busy machine,
 * so that tests can compare the cost of a small input with that of a large input. Slow work runs less often than `runs`.
 */
export function processorTime(work: () => unknown, runs = 5): number {
  const times: number[] = [];
  while (isMore(times, runs)) {
    const before = process.cpuUsage();
    work();
    times.push(timeSince(before));
  }
  return Math.max(1, Math.min(...times));
}

/** Measures asynchronous work as `processorTime` does. The test must do nothing else at the same time. */
export async function processorTimeOf(work: () => Promise<unknown>, runs = 5): Promise<number> {
  const times: number[] = [];
  while (isMore(times, runs)) {
    const before = process.cpuUsage();
    await work();
    times.push(timeSince(before));
  }
  return Math.max(1, Math.min(...times));
}

const isMore = (times: number[], runs: number): boolean =>
  times.length < runs && times.reduce((sum, time) => sum + time, 0) < (times.length < LEAST_RUNS ? LONG : ENOUGH);

function timeSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
