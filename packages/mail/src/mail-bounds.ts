import { ApiError } from '@drawbridge/contracts';
import { lock, type LockingTransaction } from '@drawbridge/database';

/** Mails of a day: they fill somebody's mailbox, and the operator's server answers for them. */
export interface MailBounds {
  /** Of an organization to one address: it can not use up what others may send there. */
  pair: number;
  /** Of all organizations to one address. */
  address: number;
  /** Of an organization to whomever. */
  organization: number;
}

/** Where a row tells of each mail: a table with `org_id`, `email` and `created_at`, and indexes that begin with the first two. */
export interface SentMails {
  table: string;
  bounds: MailBounds;
}

/** They are counted for a day: what a service with such a table lets go (a RetentionRule of packages/events). */
export const oldMails = ({ table }: SentMails) => ({
  table,
  key: 'id',
  oldest: 'created_at',
  expired: "created_at < now() - interval '1 day'",
});

type Transaction = LockingTransaction & {
  $queryRawUnsafe<T>(sql: string, ...values: unknown[]): PromiseLike<T>;
};

/**
 * May one more be mailed? What was canceled has been mailed too. Whoever asks at once, for the same organization or address, waits
 * for the end of the transaction. Throws RATE_LIMITED.
 */
export async function requireMailable(
  tx: Transaction,
  { table, bounds }: SentMails,
  { orgId, email }: { orgId: string; email: string },
): Promise<void> {
  // Every transaction locks the organization first, then the address, so that none waits in a circle.
  await lock(tx, `mails of ${table} by ${orgId}`);
  await lock(tx, `mails of ${table} to ${email}`);
  const [sent] = await tx.$queryRawUnsafe<[Sent]>(countOf(table), orgId, email);
  if (sent.pair < bounds.pair && sent.address < bounds.address && sent.organization < bounds.organization) return;
  const retryAfter = Math.max(1, sent.retryAfter);
  const whom = sent.organization < bounds.organization ? `to ${email}` : 'by this organization';
  throw new ApiError('RATE_LIMITED', `Too many mails were sent ${whom} today`, { details: { retryAfter } });
}

interface Sent extends MailBounds {
  retryAfter: number;
}

const countOf = (table: string): string => `
  WITH theirs AS (
    SELECT org_id, created_at FROM ${table} WHERE email = $2 AND created_at > now() - interval '1 day'
  ), own AS (
    SELECT created_at FROM ${table} WHERE org_id = $1::uuid AND created_at > now() - interval '1 day'
  )
  SELECT (SELECT count(*)::int FROM theirs WHERE org_id = $1::uuid) AS pair,
    (SELECT count(*)::int FROM theirs) AS address,
    (SELECT count(*)::int FROM own) AS organization,
    (SELECT extract(epoch FROM min(created_at) + interval '1 day' - now())::int
     FROM (SELECT created_at FROM theirs UNION ALL SELECT created_at FROM own) AS all_of_them) AS "retryAfter"`;
