import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { memoize } from './memoize.js';
import { DurationHistogram, type Metric } from './metrics.js';

/** Event loop delay is reported since the last read. Several readers within this time get the same values. */
const REMEMBER_MS = 5_000;
/** The timer that measures the delay fires this often. */
const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;
const RPC_BOUNDS = [0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** The RPCs that this process served, whatever transport they arrived by. `code`: OK or the code of the error. */
export const rpcDurations = new DurationHistogram(
  'drawbridge_rpc_duration_seconds',
  'Time to serve a call of a service, by RPC and result: OK or an error code.',
  RPC_BOUNDS,
);

/** Returns the metrics of a process, once for all its services. The names of CPU, memory and event loop are those of other Node.js programs. */
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
