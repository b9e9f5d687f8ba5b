import { setTimeout as sleep } from 'node:timers/promises';
import { NIL_ID } from '@drawbridge/contracts';
import { type Background, describeError, untilDeadline } from '@drawbridge/rpc';
import type { Pool } from 'pg';
import { newWakeSignal } from './repeat.js';
import { type Bus, type Log, type Topic } from './bus.js';
import { inTransaction } from './in-transaction.js';
import { outboxPollOf } from './outbox-poll.js';
import { outboxStatements } from './outbox-statements.js';
import { outboxStatistics } from './outbox-statistics.js';
import { publishRound, type Round } from './publish-round.js';
import { PutAside } from './skip-failing-rows.js';

// A round executes the same few statements however many events it publishes, and competes with requests. Commits in quick succession share a round: a
// single event waits LINGER_MS, and under load rounds begin ROUND_MS apart.
const LINGER_MS = 10;
const ROUND_MS = 100;
/** The pause after a failure doubles with each further failure, up to the longest one. Writers do not end it, because each failure is logged. */
const PAUSE_MS = { first: 500, longest: 5_000 };
/** The longest back-off of an organization that has events which cannot be published. */
const ASIDE_MS = 60_000;

type Options = { pool: Pool; schema: string; topic: Topic; bus: Bus; log: Log };

export type OutboxRelay = Required<Background> & { wake(): void };

/**
 * Publishes the rows of a service's outbox soon after `wake`, which a writer calls after its commit. Without `wake`, they are published about half a
 * second after the commit. Any number of replicas may run, of which one publishes at a time. A row is marked after the bus has accepted it, so after
 * a crash between the two steps it is published again. Organizations are scheduled fairly. An organization with events that cannot be published
 * delays only its own events. `stop` waits for the current batch until its deadline, because a handler in this process or the Kafka brokers may take
 * longer.
 */
export function outboxRelay({ pool, schema, topic, bus, log }: Options): OutboxRelay {
  const name = 'publishing events';
  const aside = new PutAside({ name, log, longestMs: ASIDE_MS });
  const sql = outboxStatements(schema);
  const statistics = outboxStatistics(pool, schema, log);
  const parts = { sql, topic, bus, log, aside, onSlowRead: statistics.doubt };
  const wakeSignal = newWakeSignal();
  const stopping = new AbortController();
  const poll = outboxPollOf(pool);
  let isWaiting = false;
  let running = Promise.resolve();

  const loop: Loop = {
    ...{ topic, log, stopping: stopping.signal, hurry: () => poll.hurry() },
    publishSome: (from) => inTransaction(pool, (tx) => publishRound(tx, parts, from)).finally(statistics.renew),
    async waitForRows() {
      isWaiting = true;
      await wakeSignal.wait();
      isWaiting = false;
    },
  };
  const polled = { schema, log, isWaiting: () => isWaiting, wake: wakeSignal.wake };

  return {
    jobs: [{ name, putAside: () => aside.count() }],
    async start() {
      running = keepPublishing(loop);
      poll.add(polled);
    },
    wake: wakeSignal.wake,
    async stop(deadline) {
      stopping.abort();
      poll.remove(polled);
      wakeSignal.wake();
      await untilDeadline(running, deadline);
    },
  };
}

interface Loop extends Pick<Options, 'topic' | 'log'> {
  publishSome(from: string): Promise<Round>;
  /** Makes the next search for rows begin earlier. */
  hurry(): void;
  /** Resolves when `wake` is called, by a writer or by the search for rows. */
  waitForRows(): Promise<void>;
  stopping: AbortSignal;
}

async function keepPublishing({ topic, log, stopping, ...loop }: Loop): Promise<void> {
  let pause = PAUSE_MS.first;
  let restUntil = 0;
  let from: string = NIL_ID;
  while (!stopping.aborted) {
    try {
      const startedAt = performance.now();
      const round = await loop.publishSome(from);
      from = round.from;
      pause = PAUSE_MS.first;
      if (round.isMore) continue;
      if (round.handled > 0 || round.isTaken) loop.hurry();
      if (round.handled > 0) restUntil = startedAt + ROUND_MS;
      if (!stopping.aborted) await loop.waitForRows();
    } catch (error) {
      log.warn({ topic, error: describeError(error) }, 'could not publish the outbox; retrying');
      await sleep(pause, undefined, { signal: stopping }).catch(() => undefined);
      pause = Math.min(pause * 2, PAUSE_MS.longest);
    }
    if (!stopping.aborted) await sleep(Math.max(LINGER_MS, restUntil - performance.now()));
  }
}
