import { type AuditedChange, eventValues, insertEvent, unaskedEvent } from '@drawbridge/events';
import { type Prisma } from '../gen/prisma/client.js';

const INSERT = insertEvent('members', { first: 1 });

/**
 * Records a command of the operator in the audit log, in the transaction of its change. A running process publishes the event. If none runs, the next
 * process that starts publishes it.
 */
export async function recordOperator(
  tx: Pick<Prisma.TransactionClient, '$executeRawUnsafe'>,
  change: AuditedChange & { orgId: string; action: string },
): Promise<void> {
  await tx.$executeRawUnsafe(INSERT, ...eventValues(unaskedEvent('operator', change)));
}
