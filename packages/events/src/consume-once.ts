import type { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import type { Pool, PoolClient } from 'pg';
import { type Bus, type Handler, topicOf } from './bus.js';
import { inTransaction } from './in-transaction.js';

type Payload = NonNullable<Envelope['payload']>;

/** An event whose payload is of one case: `EventOf<'workspaceDeleted'>`. */
export type EventOf<Case extends Payload['$case']> = Envelope & { payload: Extract<Payload, { $case: Case }> };

/** What to do with the events of each case that the consumer cares for, in the transaction that it is given. */
export type Effects<Tx> = { [Case in Payload['$case']]?: (events: EventOf<Case>[], tx: Tx) => Promise<unknown> };

/** A database with an inbox: how it runs a transaction, and how it notes ids there and tells which are new. */
export type Inbox<Tx> = {
  transaction(work: (tx: Tx) => Promise<void>): Promise<void>;
  note(tx: Tx, ids: string[]): Promise<string[]>;
};

// In order, so that two batches that overlap wait for each other and never in a circle.
const note = (schema: string): string =>
  `INSERT INTO ${schema}.inbox (event_id) SELECT unnest($1::uuid[]) ORDER BY 1 ON CONFLICT DO NOTHING RETURNING event_id`;

type Noted = { event_id: string };

/** The inbox of a service, in its schema. */
export function pgInbox(pool: Pool, schema: string): Inbox<PoolClient> {
  return {
    transaction: (work) => inTransaction(pool, work),
    async note(tx, ids) {
      const { rows } = await tx.query<Noted>(note(schema), [ids]);
      return rows.map((row) => row.event_id);
    },
  };
}

/**
 * Gives a service the events of another: `const subscribe = subscriber({ bus, pool, schema: 'connections' })`, then
 * `subscribe('members', { workspaceDeleted })`.
 */
export function subscriber({ bus, pool, schema }: { bus: Bus; pool: Pool; schema: string }) {
  return (from: string, effects: Effects<PoolClient>): void =>
    bus.subscribe(topicOf(from), schema, consumeOnce(pgInbox(pool, schema), effects));
}

/**
 * A handler that applies each event once, however often it arrives: the ids of a batch and the effects of those that are
 * new are one transaction. It rejects as they do, with nothing applied. Cases without an effect are passed over.
 */
export function consumeOnce<Tx>(inbox: Inbox<Tx>, effects: Effects<Tx>): Handler {
  const cases = Object.keys(effects) as Payload['$case'][];

  async function apply<Case extends Payload['$case']>(name: Case, events: Envelope[], tx: Tx): Promise<void> {
    const its = events.filter((event): event is EventOf<Case> => event.payload?.$case === name);
    if (its.length > 0) await effects[name]?.(its, tx);
  }

  return async (events) => {
    const wanted = events.filter((event) => event.payload && event.payload.$case in effects);
    if (wanted.length === 0) return;

    await inbox.transaction(async (tx) => {
      const noted = await inbox.note(
        tx,
        wanted.map((event) => event.id),
      );
      const fresh = new Set(noted);
      // Deleting as it goes leaves out the second of two equal ids in one batch.
      const news = wanted.filter((event) => fresh.delete(event.id));
      for (const name of cases) await apply(name, news, tx);
    });
  };
}
