import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { memoize } from './memoize.js';
import { DurationHistogram, type Metric } from './metrics.js';

/** The event loop delay is measured since the last read. A read resets it, so clients that read within this time receive the same cached values. */
const REMEMBER_MS = 5_000;
/** The interval of the timer that measures the delay. */
const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;
const RPC_BOUNDS = [0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Durations of the RPCs that this process served over any transport. `code` is OK or the code of the error. */
export const rpcDurations = new DurationHistogram(
  'drawbridge_rpc_duration_seconds',
  'Time to serve a call of a service, by RPC and result: OK or an error code.',
  RPC_BOUNDS,
);

/**
 * Returns the metrics of a process, which all its services share. The metrics of CPU, memory and event loop have the names that other Node.js
 * programs use.
 */
export function processMetrics(): Metric[] {
  let delay: IntervalHistogram | undefined;
  const delays = memoize({ ttlMs: REMEMBER_MS }, async () => {
    if (!delay) {
      delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      delay.enable();
    }
    const values = { p99: delay.percentile(99) / NANOSECONDS, max: delay.max / NANOSECONDS };
    delay.reset();
    return values;
  });
  const gauge = (name: string, help: string, value: () => number | Promise<number>): Metric => ({
    ...{ name, help, type: 'gauge' },
    read: async () => [{ value: await value() }],
  });
  return [
    rpcDurations,
    gauge(
      'nodejs_eventloop_lag_p99_seconds',
      'Event loop delay since the last read, 99th percentile.',
      async () => (await delays('')).p99,
    ),
    gauge(
      'nodejs_eventloop_lag_max_seconds',
      'Longest event loop delay since the last read.',
      async () => (await delays('')).max,
    ),
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss()),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use by JavaScript objects.', () => process.memoryUsage().heapUsed),
    {
      ...{ name: 'process_cpu_seconds_total', help: 'User and system CPU time of the process.', type: 'counter' },
      read: () => [{ value: (process.cpuUsage().user + process.cpuUsage().system) / 1e6 }],
    },
  ];
}
