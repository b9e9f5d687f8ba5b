import type { ServiceName } from '@drawbridge/contracts';
import type { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import type { Pool, PoolClient } from 'pg';
import { type Bus, type Handler, topicOf } from './bus.js';
import { inTransaction } from './in-transaction.js';
import { type EventPayload } from './outbox-row.js';
import { PUBLISHERS } from './publishers.js';

type Case = EventPayload['$case'];

/** An event whose payload is of one case: `EventOf<'workspaceDeleted'>`. */
export type EventOf<C extends Case> = Envelope & { payload: Extract<EventPayload, { $case: C }> };

/**
 * What to do with the events of each case that a service cares for, in the transaction that it is given. Cases of the same effect
 * come to it together, in their order.
 */
export type Effects = {
  [C in Case]?: (events: EventOf<C>[], tx: PoolClient, afterCommit: AfterCommit) => Promise<unknown>;
};

/** Takes what is to be done once the transaction is committed, and not at all when it is not: to wake who finds there what to do. */
export type AfterCommit = (work: () => void) => void;

/** A database with an inbox. */
export type Inbox = { pool: Pool; schema: string };

/** Gives a service the events that it has effects for, from whoever publishes them: `{ workspaceDeleted }`. */
export function subscribe(
  { bus, service, pool }: { bus: Bus; service: ServiceName; pool: Pool },
  effects: Effects,
): void {
  const publishers = new Set(casesOf(effects).flatMap((name) => PUBLISHERS[name]));
  const handler = consumeOnce({ pool, schema: service }, effects);
  for (const publisher of publishers) bus.subscribe(topicOf(publisher), service, handler);
}

/**
 * A handler that applies each event once, however often it arrives: the ids of a batch and the effects of those that are
 * new are one transaction. It rejects as they do, with nothing applied. Cases without an effect are passed over.
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
      const noted = await tx.query<{ event_id: string }>({ ...noteNew(schema), values: [ids] });
      const fresh = new Set(noted.rows.map((row) => row.event_id));
      // Deleting as it goes leaves out the second of two equal ids in one batch.
      const news = wanted.filter((event) => fresh.delete(event.id));
      for (const name of differing) await apply(name, news, tx, (work) => after.push(work));
    });
    for (const work of after) work();
  };
}

// In order, so that two batches that overlap wait for each other and never in a circle.
const noteNew = (schema: string): { name: string; text: string } => ({
  name: `note-events-${schema}`,
  text: `INSERT INTO ${schema}.inbox (event_id) SELECT unnest($1::uuid[]) ORDER BY 1 ON CONFLICT DO NOTHING RETURNING event_id`,
});

function casesOf(effects: Effects): Case[] {
  return Object.keys(effects) as Case[];
}
