import { ApiError } from '@drawbridge/contracts';
import { type Prisma } from './gen/prisma/client.js';

/** Mails of a day: they fill somebody's mailbox, and the operator's server answers for them. */
const BOUNDS = {
  /** Of an organization to one address: it can not use up what others may send there. */
  pair: 5,
  /** Of all organizations to one address. */
  address: 20,
  /** Of an organization to whomever. */
  organization: 500,
};

interface Sent {
  pair: number;
  address: number;
  organization: number;
  retryAfter: number;
}

/** May one more be mailed? What was canceled has been mailed too. Throws RATE_LIMITED. */
export async function requireMailable(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  { orgId, email }: { orgId: string; email: string },
): Promise<void> {
  const [sent] = await tx.$queryRaw<Sent[]>`
    WITH theirs AS (
      SELECT org_id, created_at FROM members.invitations
      WHERE email = ${email} AND created_at > now() - interval '1 day'
    ), own AS (
      SELECT created_at FROM members.invitations
      WHERE org_id = ${orgId}::uuid AND created_at > now() - interval '1 day'
    )
    SELECT (SELECT count(*)::int FROM theirs WHERE org_id = ${orgId}::uuid) AS pair,
      (SELECT count(*)::int FROM theirs) AS address,
      (SELECT count(*)::int FROM own) AS organization,
      (SELECT extract(epoch FROM min(created_at) + interval '1 day' - now())::int
       FROM (SELECT created_at FROM theirs UNION ALL SELECT created_at FROM own) AS all_of_them) AS "retryAfter"`;
  if (!sent || (sent.pair < BOUNDS.pair && sent.address < BOUNDS.address && sent.organization < BOUNDS.organization))
    return;
  const retryAfter = Math.max(1, sent.retryAfter);
  const whom = sent.organization < BOUNDS.organization ? `to ${email}` : 'by this organization';
  throw new ApiError('RATE_LIMITED', `Too many invitations were mailed ${whom} today`, { details: { retryAfter } });
}
