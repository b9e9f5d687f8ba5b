import type { ServiceName } from '@drawbridge/contracts';
import { type EventPayload, newEvent } from './new-event.js';
import { eventValues, insertEvent } from './outbox-sql.js';
import { PUBLISHERS } from './publishers.js';

/** A Prisma transaction. */
interface Transaction {
  $executeRawUnsafe(sql: string, ...values: unknown[]): PromiseLike<number>;
}

/** Where a service writes what others must hear of. */
export interface Outbox {
  /** In the transaction that makes it a fact: `add(tx, { $case: 'workspaceDeleted', value: { workspaceId } }, orgId)`. */
  add(tx: Transaction, fact: EventPayload, orgId: string): Promise<void>;
  /** After its commit: what was added goes out at once, not within 200 ms. */
  wake(): void;
}

export function outbox(service: ServiceName, { wake }: Pick<Outbox, 'wake'>): Outbox {
  const insert = insertEvent(service, { first: 1 });
  return {
    async add(tx, fact, orgId) {
      if (PUBLISHERS[fact.$case] !== service) throw new Error(`${fact.$case} is no event of ${service}`);
      await tx.$executeRawUnsafe(insert, ...eventValues(newEvent(fact, { orgId })));
    },
    wake,
  };
}
