import { type Metric } from '@drawbridge/rpc';
import type { Pool } from 'pg';
import { query, type Statements } from './statements.js';
import { type Worker } from './worker.js';

/** Bounds the cost of counting: a longer backlog changes nothing for an operator. */
const MOST = 100_000;

interface Parts {
  service: string;
  pool: Pool;
  sql: Pick<Statements, 'count'>;
  worker: Pick<Worker, 'breaker' | 'outcomes' | 'running'>;
}

export function queueMetrics({ service: queue, pool, sql, worker }: Parts): Metric[] {
  return [
    {
      name: 'drawbridge_queue_jobs',
      help: `Jobs: ready (due now), waiting (for their time, or running) or dead. At most ${MOST} of each are counted.`,
      type: 'gauge',
      async read() {
        const rows = await query<{ state: string; many: number }>(pool, sql.count, MOST);
        return rows.map(({ state, many }) => ({ labels: { queue, state }, value: many }));
      },
    },
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
