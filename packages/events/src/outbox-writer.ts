import { type ServiceName } from '@drawbridge/contracts';
import { auditEvent, type AuditedChange, type AuditedUser } from './audit-event.js';
import { eventValues, type EventPayload, insertEvent, type NewEvent, newEvent, PUBLISHERS } from './outbox.js';

/** A Prisma transaction. */
interface Transaction {
  $executeRawUnsafe(sql: string, ...values: unknown[]): PromiseLike<number>;
}

/** Writes events to the outbox of a service. */
export interface Outbox {
  /** Adds an event in the transaction of its change: `add(tx, { $case: 'workspaceDeleted', value: { workspaceId } }, orgId)`. */
  add(tx: Transaction, fact: EventPayload, orgId: string): Promise<void>;
  /**
   * Adds an audit entry in the transaction of its change, with the action name from the RPC's proto. `user` is the acting user in a call without a
   * caller.
   */
  record(tx: Transaction, change: AuditedChange, user?: AuditedUser): Promise<void>;
  /** Publishes the events immediately instead of within half a second. Call it after the commit. */
  wake(): void;
}

export function outbox(service: ServiceName, { wake }: Pick<Outbox, 'wake'>): Outbox {
  const insert = insertEvent(service, { first: 1 });
  const write = async (tx: Transaction, event: NewEvent): Promise<void> => {
    await tx.$executeRawUnsafe(insert, ...eventValues(event));
  };
  return {
    async add(tx, fact, orgId) {
      if (!PUBLISHERS[fact.$case].includes(service)) throw new Error(`${fact.$case} is not an event of ${service}`);
      await write(tx, newEvent(fact, { orgId }));
    },
    record: (tx, change, user) => write(tx, auditEvent(change, user)),
    wake,
  };
}
