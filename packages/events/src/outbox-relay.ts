import { setTimeout as sleep } from 'node:timers/promises';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { describeError, untilDeadline } from '@drawbridge/rpc';
import type { Pool, PoolClient } from 'pg';
import { newWakeSignal } from './wake-signal.js';
import { type Bus, type Log, MAX_BATCH, type Topic } from './bus.js';
import { inTransaction } from './in-transaction.js';
import { inSpan } from './spans.js';

// What nobody woke the relay for is found by looking: soon after there was something, less often where nothing comes.
const POLL_MS = { soon: 200, longest: 500 };
// A round is ten statements however many events it carries, and it takes its time from the requests: commits that follow
// each other closely share one. A lone event waits LINGER_MS; under load rounds begin ROUND_MS apart.
const LINGER_MS = 10;
const ROUND_MS = 100;
const MAX_PAUSE_MS = 5_000;

const statements = (schema: string) => ({
  // These two read the partial index; published rows cost them nothing.
  probe: {
    name: `probe-outbox-${schema}`,
    text: `SELECT 1 FROM ${schema}.outbox WHERE published_at IS NULL ORDER BY created_at LIMIT 1`,
  },
  read: `SELECT id, org_id, envelope FROM ${schema}.outbox WHERE published_at IS NULL ORDER BY created_at, id
    LIMIT ${MAX_BATCH}`,
  mark: `UPDATE ${schema}.outbox SET published_at = now() WHERE id = ANY($1)`,
  // One lock for one outbox: several services may share a database, each with a schema. It is a statement of its own, so
  // that the read after it sees what the last holder has marked.
  lock: `SELECT pg_try_advisory_xact_lock(hashtextextended('outbox ${schema}', 0)) AS held`,
});

type Options = { pool: Pool; schema: string; topic: Topic; bus: Bus; log: Log };

export type OutboxRelay = { start(): Promise<void>; wake(): void; stop(deadline: number): Promise<void> };

/**
 * Publishes the rows of a service's outbox: soon after `wake`, which a writer calls after its
 * commit, and at the latest half a second later. Any number of replicas may run; one at a time is at work. A row is marked once
 * the bus has it, so a crash between the two publishes it again.
 * `stop` waits for the batch at hand until its deadline: in one process a handler, on Kafka the brokers may take longer.
 */
export function outboxRelay(options: Options): OutboxRelay {
  const wakeSignal = newWakeSignal();
  let stopped = false;
  let running = Promise.resolve();

  async function run(): Promise<void> {
    let pause = POLL_MS.soon;
    let restUntil = 0;
    let isWoken = false;
    while (!stopped) {
      try {
        const startedAt = performance.now();
        const published = await publishSome(options, isWoken);
        if (published === MAX_BATCH) continue;
        if (published > 0) restUntil = startedAt + ROUND_MS;
        pause = published > 0 || isWoken ? POLL_MS.soon : Math.min(pause * 2, POLL_MS.longest);
      } catch (error) {
        pause = Math.min(pause * 2, MAX_PAUSE_MS);
        const line = { topic: options.topic, error: describeError(error) };
        options.log.warn(line, 'the outbox could not be published; trying again');
      }
      if (!stopped) isWoken = await wakeSignal.wait(pause);
      if (!stopped) await sleep(Math.max(LINGER_MS, restUntil - performance.now()));
    }
  }

  return {
    async start() {
      running = run();
    },
    wake: wakeSignal.wake,
    async stop(deadline) {
      stopped = true;
      wakeSignal.wake();
      await untilDeadline(running, deadline);
    },
  };
}

/** Who was woken knows that there is something: to look first would be one statement more in each round. */
async function publishSome(options: Options, isWoken: boolean): Promise<number> {
  const isNeeded = isWoken || (await options.pool.query(statements(options.schema).probe)).rowCount;
  return isNeeded ? inTransaction(options.pool, (client) => publishBatch(client, options)) : 0;
}

async function publishBatch(client: PoolClient, { schema, topic, bus }: Options): Promise<number> {
  const sql = statements(schema);
  const lock = await client.query<{ held: boolean }>(sql.lock);
  if (!lock.rows[0]?.held) return 0;

  const { rows } = await client.query<{ id: string; org_id: string; envelope: Buffer }>(sql.read);
  if (rows.length === 0) return 0;

  const messages = rows.map(({ org_id: key, envelope: value }) => ({ key, value, event: Envelope.decode(value) }));
  const events = messages.map(({ event }) => event);
  await inSpan('publish', topic, events, () => bus.publish(topic, messages));
  await client.query(sql.mark, [rows.map((row) => row.id)]);
  return rows.length;
}
