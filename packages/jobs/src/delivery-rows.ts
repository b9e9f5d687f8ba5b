import { type Noted } from './attempt-delivery.js';
import { type Queryable } from './statements.js';

/**
 * Age after which a delivery without a recorded failure counts as dead. It exceeds any back-off, so the process must have crashed in every attempt.
 */
const FORGOTTEN_MS = 3 * 24 * 60 * 60 * 1_000;

/** The identity of a delivery in its queue payload. */
export interface Wanted {
  id: string;
  orgId: string;
}

/** A delivery and its receiver. `receiver` distinguishes the receivers of one organization. */
export interface Addressed extends Wanted {
  receiver?: string;
}

/** Enqueues deliveries in the transaction that records them. They are attempted after its commit, across restarts. */
export type Enqueue = (tx: Queryable, deliveries: readonly Addressed[]) => Promise<void>;

/** Returns the Prisma condition for this delivery while it is pending, in a table of deliveries (id, org_id, status, updated_at …). */
export function openDelivery({ id, orgId }: Wanted) {
  return { id, orgId, status: { in: ['pending', 'retrying'] } };
}

/** Returns the columns to write when an attempt begins. */
export function begunDelivery(now = new Date()) {
  return { attempt: { increment: 1 }, updatedAt: now };
}

/** Returns the columns to write when an attempt completes. */
export function notedDelivery(noted: Noted, now = new Date()) {
  return { ...noted, updatedAt: now, ...(noted.status === 'success' && { deliveredAt: now }) };
}

/** Returns the Prisma condition for deliveries that are no longer attempted. */
export function deadDelivery(now = Date.now()) {
  return {
    OR: [{ status: 'failed' }, { status: { not: 'success' }, updatedAt: { lt: new Date(now - FORGOTTEN_MS) } }],
  };
}

/** Returns the retention rule of a table of deliveries (RetentionRule of packages/events). A dead letter can be redelivered until it is deleted. */
export function oldDeliveries(table: string) {
  return { table, key: 'id', oldest: 'updated_at', expired: "updated_at < now() - interval '30 days'" };
}
