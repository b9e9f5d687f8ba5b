import { type Noted } from './attempt-delivery.js';
import { type Queryable } from './statements.js';

/** Longer than any attempt waits for the next: its processes died in all of them, and nobody noted that it is over. */
const FORGOTTEN_MS = 3 * 24 * 60 * 60 * 1_000;

/** What the queue keeps of a delivery. */
export interface Wanted {
  id: string;
  orgId: string;
}

/** Whom it is for, where an organization has many. */
export interface Addressed extends Wanted {
  receiver?: string;
}

/** In the transaction that notes the deliveries: they are tried from its commit on, across restarts. */
export type Enqueue = (tx: Queryable, deliveries: readonly Addressed[]) => Promise<void>;

/** For Prisma, of a table of deliveries (id, org_id, status, updated_at …): the one that is wanted, while it is on its way. */
export function openDelivery({ id, orgId }: Wanted) {
  return { id, orgId, status: { in: ['pending', 'retrying'] } };
}

/** Its columns at the begin of an attempt. */
export function begunDelivery(now = new Date()) {
  return { attempt: { increment: 1 }, updatedAt: now };
}

/** And at the end of one. */
export function notedDelivery(noted: Noted, now = new Date()) {
  return { ...noted, updatedAt: now, ...(noted.status === 'success' && { deliveredAt: now }) };
}

/** Those that are tried no more. */
export function deadDelivery(now = Date.now()) {
  return {
    OR: [{ status: 'failed' }, { status: { not: 'success' }, updatedAt: { lt: new Date(now - FORGOTTEN_MS) } }],
  };
}

/** Delivered, or given up: until then a dead letter can be sent again. What lets them go (a RetentionRule of packages/events). */
export function oldDeliveries(table: string) {
  return { table, key: 'id', oldest: 'updated_at', expired: "updated_at < now() - interval '30 days'" };
}
