import type { ServiceName } from '@drawbridge/contracts';
import { auditEvent, type AuditedChange, type AuditedUser } from './audit-event.js';
import { type EventPayload, eventValues, insertEvent, type NewEvent, newEvent } from './outbox-row.js';
import { PUBLISHERS } from './publishers.js';

/** A Prisma transaction. */
interface Transaction {
  $executeRawUnsafe(sql: string, ...values: unknown[]): PromiseLike<number>;
}

/** Where a service writes what others must hear of. */
export interface Outbox {
  /** In the transaction that makes it a fact: `add(tx, { $case: 'workspaceDeleted', value: { workspaceId } }, orgId)`. */
  add(tx: Transaction, fact: EventPayload, orgId: string): Promise<void>;
  /**
   * In the transaction of a change: that the audit log tells of it, under the name that the proto of the RPC gives it. `user`:
   * who did it, where the call has no caller.
   */
  record(tx: Transaction, change: AuditedChange, user?: AuditedUser): Promise<void>;
  /** After its commit: what was added goes out at once, not within half a second. */
  wake(): void;
}

export function outbox(service: ServiceName, { wake }: Pick<Outbox, 'wake'>): Outbox {
  const insert = insertEvent(service, { first: 1 });
  const write = async (tx: Transaction, event: NewEvent): Promise<void> => {
    await tx.$executeRawUnsafe(insert, ...eventValues(event));
  };
  return {
    async add(tx, fact, orgId) {
      if (!PUBLISHERS[fact.$case].includes(service)) throw new Error(`${fact.$case} is no event of ${service}`);
      await write(tx, newEvent(fact, { orgId }));
    },
    record: (tx, change, user) => write(tx, auditEvent(change, user)),
    wake,
  };
}
