import { ApiError } from '@drawbridge/contracts';
import { lock, type LockingTransaction } from '@drawbridge/database';

/** Maximum numbers of emails per day. They protect the recipients' mailboxes and the reputation of the operator's server. */
interface MailBounds {
  /** From an organization to one address, so that an organization cannot exhaust the address's limit for other organizations. */
  pair: number;
  /** From all organizations to one address. */
  address: number;
  /** From an organization to all addresses. */
  organization: number;
}

/** A table with a row per email, which has the columns `org_id`, `email` and `created_at`, and indexes that begin with the first two. */
export interface SentMails {
  table: string;
  bounds: MailBounds;
}

/**
 * Returns the retention rule of a table of sent emails (RetentionRule of packages/events). The limits are per day, so rows are deleted after one day.
 */
export const oldMails = ({ table }: Pick<SentMails, 'table'>) => ({
  table,
  key: 'id',
  oldest: 'created_at',
  expired: "created_at < now() - interval '1 day'",
});

type Transaction = LockingTransaction & {
  $queryRawUnsafe<T>(sql: string, ...values: unknown[]): PromiseLike<T>;
};

/**
 * Checks whether one more email may be sent. Emails of canceled requests count too. Locks the organization and the address until the transaction
 * ends. Throws RATE_LIMITED.
 */
export async function requireMailable(
  tx: Transaction,
  { table, bounds }: SentMails,
  { orgId, email }: { orgId: string; email: string },
): Promise<void> {
  // Every transaction locks first the organization and then the address, so that transactions do not deadlock.
  await lock(tx, `mails of ${table} by ${orgId}`);
  await lock(tx, `mails of ${table} to ${email}`);
  const [sent] = await tx.$queryRawUnsafe<[Sent]>(countOf(table), orgId, email);
  if (sent.pair < bounds.pair && sent.address < bounds.address && sent.organization < bounds.organization) return;
  const retryAfter = Math.max(1, sent.retryAfter);
  const scope = sent.organization < bounds.organization ? `to ${email}` : 'by this organization';
  throw new ApiError('RATE_LIMITED', `Too many emails were sent ${scope} today`, { details: { retryAfter } });
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
