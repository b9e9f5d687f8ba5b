import { setTimeout as sleep } from 'node:timers/promises';
import { NIL_ID } from '@drawbridge/contracts';
import { type Background, describeError, untilDeadline } from '@drawbridge/rpc';
import type { Pool } from 'pg';
import { newWakeSignal } from './repeat.js';
import { type Bus, type Log, type Topic } from './bus.js';
import { inTransaction } from './in-transaction.js';
import { outboxStatements } from './outbox-statements.js';
import { publishRound, type Round } from './publish-round.js';
import { PutAside } from './skip-failing-rows.js';

// The relay polls for rows that were written without `wake`: at the shorter interval after it found rows, at the longer interval otherwise.
const POLL_MS = { soon: 200, longest: 500 };
// A round executes the same few statements however many events it publishes, and competes with requests. Commits in quick succession share a round: a
// single event waits LINGER_MS, and under load rounds begin ROUND_MS apart.
const LINGER_MS = 10;
const ROUND_MS = 100;
const MAX_PAUSE_MS = 5_000;
/** The longest back-off of an organization that has events which cannot be published. */
const ASIDE_MS = 60_000;

const NOTHING: Round = { handled: 0, from: NIL_ID, isMore: false };

type Options = { pool: Pool; schema: string; topic: Topic; bus: Bus; log: Log };

export type OutboxRelay = Required<Background> & { wake(): void };

/**
 * Publishes the rows of a service's outbox soon after `wake`, which a writer calls after its commit, and at the latest half a second later. Any
 * number of replicas may run, of which one publishes at a time. A row is marked after the bus has accepted it, so after a crash between the two steps
 * it is published again. Organizations are scheduled fairly. An organization with events that cannot be published delays only its own events. `stop`
 * waits for the current batch until its deadline, because a handler in this process or the Kafka brokers may take longer.
 */
export function outboxRelay({ pool, schema, topic, bus, log }: Options): OutboxRelay {
  const name = 'publishing events';
  const aside = new PutAside({ name, log, longestMs: ASIDE_MS });
  const sql = outboxStatements(schema);
  const wakeSignal = newWakeSignal();
  const stopping = new AbortController();
  let running = Promise.resolve();

  /** After a wake-up there are rows, so a probe would only add one statement to each round. */
  async function publishSome(from: string, isWoken: boolean): Promise<Round> {
    const isNeeded = isWoken || from !== NIL_ID || (await pool.query(sql.probe)).rowCount;
    if (!isNeeded) return NOTHING;
    return inTransaction(pool, (tx) => publishRound(tx, { sql, topic, bus, log, aside }, from));
  }

  return {
    jobs: [{ name, putAside: () => aside.count() }],
    async start() {
      running = keepPublishing(publishSome, { topic, log, wait: wakeSignal.wait, stopping: stopping.signal });
    },
    wake: wakeSignal.wake,
    async stop(deadline) {
      stopping.abort();
      wakeSignal.wake();
      await untilDeadline(running, deadline);
    },
  };
}

interface Loop extends Pick<Options, 'topic' | 'log'> {
  /** Resolves to whether `wake` was called. */
  wait(ms: number): Promise<boolean>;
  stopping: AbortSignal;
}

async function keepPublishing(
  publishSome: (from: string, isWoken: boolean) => Promise<Round>,
  { topic, log, wait, stopping }: Loop,
): Promise<void> {
  let pause = POLL_MS.soon;
  let restUntil = 0;
  let isWoken = false;
  let from: string = NIL_ID;
  while (!stopping.aborted) {
    try {
      const startedAt = performance.now();
      const round = await publishSome(from, isWoken);
      from = round.from;
      if (round.isMore) continue;
      if (round.handled > 0) restUntil = startedAt + ROUND_MS;
      pause = round.handled > 0 || isWoken ? POLL_MS.soon : Math.min(pause * 2, POLL_MS.longest);
    } catch (error) {
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
      log.warn({ topic, error: describeError(error) }, 'could not publish the outbox; retrying');
    }
    if (!stopping.aborted) isWoken = await wait(pause);
    if (!stopping.aborted) await sleep(Math.max(LINGER_MS, restUntil - performance.now()));
  }
}
