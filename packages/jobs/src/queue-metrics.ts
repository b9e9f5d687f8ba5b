import { memoize, type Metric } from '@drawbridge/rpc';
import type { Pool } from 'pg';
import { query, type Statements } from './statements.js';
import { type Worker } from './worker.js';

/** Maximum number of jobs that are counted, which limits the cost of a count. A longer backlog makes no difference to an operator. */
const MOST = 100_000;
/** The count is cached because two metrics use it. */
const REMEMBER_MS = 1_000;

interface Count {
  state: string;
  many: number;
  seconds: number | null;
}

interface Parts {
  service: string;
  pool: Pool;
  sql: Pick<Statements, 'count'>;
  worker: Pick<Worker, 'breaker' | 'outcomes' | 'running'>;
}

export function queueMetrics({ service: queue, pool, sql, worker }: Parts): Metric[] {
  const count = memoize({ ttlMs: REMEMBER_MS }, () => query<Count>(pool, sql.count, MOST));
  return [
    ...countMetrics(queue, () => count('')),
    {
      name: 'drawbridge_queue_running',
      help: 'Jobs that run in this process.',
      type: 'gauge',
      read: () => [{ labels: { queue }, value: worker.running.size }],
    },
    {
      name: 'drawbridge_queue_attempts_total',
      help: 'Attempts that ended in this process: done, again (the job is retried) or dead.',
      type: 'counter',
      read: () => [...worker.outcomes].map(([outcome, value]) => ({ labels: { queue, outcome }, value })),
    },
    {
      name: 'drawbridge_queue_open_circuits',
      help: 'Targets that hang and are paused, or called one at a time, by this process.',
      type: 'gauge',
      read: () => [{ labels: { queue }, value: worker.breaker.open }],
    },
  ];
}

function countMetrics(queue: string, count: () => Promise<Count[]>): Metric[] {
  return [
    {
      name: 'drawbridge_queue_jobs',
      help: `Jobs: ready (due now), waiting (for their time, or running) or dead. At most ${MOST} of each are counted.`,
      type: 'gauge',
      read: async () => (await count()).map(({ state, many }) => ({ labels: { queue, state }, value: many })),
    },
    {
      name: 'drawbridge_queue_oldest_seconds',
      help: `How long the oldest of ${MOST} ready jobs has been due.`,
      type: 'gauge',
      async read() {
        const ready = (await count()).find(({ state }) => state === 'ready');
        return [{ labels: { queue }, value: ready?.seconds ?? 0 }];
      },
    },
  ];
}
