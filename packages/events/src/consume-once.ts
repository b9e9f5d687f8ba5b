import { type ServiceName } from '@drawbridge/contracts';
import { type Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { type Pool, type PoolClient } from 'pg';
import { arrayParameter } from './array-parameters.js';
import { type Bus, type Handler, topicOf } from './bus.js';
import { inTransaction } from './in-transaction.js';
import { type EventPayload, PUBLISHERS } from './outbox.js';

type Case = EventPayload['$case'];

/** An event with a payload of one case: `EventOf<'workspaceDeleted'>`. */
export type EventOf<C extends Case> = Envelope & { payload: Extract<EventPayload, { $case: C }> };

/**
 * The effects of each event case that a service handles, inside the transaction `tx`. Cases with the same effect function are passed to it together,
 * in order.
 */
export type Effects = {
  [C in Case]?: (events: EventOf<C>[], tx: PoolClient, afterCommit: AfterCommit) => Promise<unknown>;
};

/** Registers work to run after the transaction commits, for example to wake a worker. The work does not run if the transaction rolls back. */
export type AfterCommit = (work: () => void) => void;

/** A database schema with an inbox, which is the table of the ids of consumed events. */
export type Inbox = { pool: Pool; schema: string };

/** Subscribes a service to the events for which it has effects, from all publishers of these events: `{ workspaceDeleted }`. */
export function subscribe(
  { bus, service, pool }: { bus: Bus; service: ServiceName; pool: Pool },
  effects: Effects,
): void {
  const publishers = new Set(casesOf(effects).flatMap((name) => PUBLISHERS[name]));
  const handler = consumeOnce({ pool, schema: service }, effects);
  for (const publisher of publishers) bus.subscribe(topicOf(publisher), service, handler);
}

/**
 * Returns a handler that applies each event once, however often it arrives. One transaction records the event ids of a batch and applies the effects
 * of the new events. If an effect rejects, the handler rejects and nothing is applied. Cases without an effect are ignored.
 */
export function consumeOnce({ pool, schema }: Inbox, effects: Effects): Handler {
  const differing = casesOf(effects).filter((name, at, all) => all.findIndex((one) => isSame(one, name)) === at);

  function isSame(name: Case, other: Case): boolean {
    return effects[name] === effects[other];
  }

  async function apply<C extends Case>(
    name: C,
    events: Envelope[],
    ...given: [PoolClient, AfterCommit]
  ): Promise<void> {
    const its = events.filter((event): event is EventOf<C> => isSame(event.payload!.$case, name));
    if (its.length > 0) await effects[name]?.(its, ...given);
  }

  return async (events) => {
    const wanted = events.filter((event) => event.payload && event.payload.$case in effects);
    if (wanted.length === 0) return;

    const after: (() => void)[] = [];
    await inTransaction(pool, async (tx) => {
      const ids = wanted.map((event) => event.id);
      const noted = await tx.query<{ event_id: string }>({ ...noteNew(schema), values: [arrayParameter('uuid', ids)] });
      const fresh = new Set(noted.rows.map((row) => row.event_id));
      // Deletes the id from the set, so that the second of two equal ids in one batch is skipped.
      const news = wanted.filter((event) => fresh.delete(event.id));
      for (const name of differing) await apply(name, news, tx, (work) => after.push(work));
    });
    for (const work of after) work();
  };
}

// Ids are inserted in order, so that two overlapping batches wait for each other without a deadlock.
const noteNew = (schema: string): { name: string; text: string } => ({
  name: `note-events-${schema}`,
  text: `INSERT INTO ${schema}.inbox (event_id) SELECT unnest($1::uuid[]) ORDER BY 1 ON CONFLICT DO NOTHING RETURNING event_id`,
});

function casesOf(effects: Effects): Case[] {
  return Object.keys(effects) as Case[];
}
