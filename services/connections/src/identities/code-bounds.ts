import { ApiError } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { type Transaction } from '../database.js';

/** Limits of the codes that are mailed within a day, because each one reaches a mailbox and allows five guesses of eight digits. */
const BOUNDS = {
  /** To one email of an organization, for a browser or network from which it was proven recently. */
  known: 10,
  /** To one email of an organization, for unknown browsers of one network. */
  network: 5,
  /** To one email of an organization, for all unknown browsers. */
  strangers: 20,
  /** To one email across all organizations, for all unknown browsers. */
  address: 40,
  /** From an organization, to the emails of all its end users. */
  organization: 20_000,
};

export interface Asking {
  orgId: string;
  email: string;
  network: string;
  /** Empty for a browser without its cookie. */
  browserId: string;
}

interface Counted extends Record<keyof typeof BOUNDS, number> {
  retryAfter: number;
}

/**
 * Throws RATE_LIMITED if the limit is reached, whether or not the email belongs to an end user. Returns whether the email was proven from this
 * browser or network recently. Locks the email until the transaction ends.
 */
export async function requireCodeAllowed(tx: Transaction, { orgId, email, ...from }: Asking): Promise<boolean> {
  await lock(tx, `codes to ${email}`);
  const proven = await tx.$queryRaw<{ origin: string }[]>`
    SELECT origin FROM connections.proven_origins
    WHERE org_id = ${orgId}::uuid AND email = ${email} AND origin = ANY (${originsOf(from)}) AND expires_at > now()`;
  // Other browsers of its network do not use up the codes of a known browser.
  const known = proven.find(({ origin }) => origin === from.browserId) ?? proven[0];
  const counted = await countSent(tx, { orgId, email, known: known?.origin ?? '', network: from.network });
  const kinds = known ? (['known'] as const) : (['network', 'strangers', 'address', 'organization'] as const);
  if (kinds.every((kind) => counted[kind] < BOUNDS[kind])) return known !== undefined;
  const details = { retryAfter: Math.max(1, counted.retryAfter) };
  throw new ApiError('RATE_LIMITED', `Too many codes were asked for today for ${email}`, { details });
}

/** Returns the origins from which an email can be proven. */
export const originsOf = ({ network, browserId }: Pick<Asking, 'network' | 'browserId'>): string[] =>
  [network, browserId].filter((origin) => origin !== '');

/** Counts recent codes. Emails that belong to no end user receive no mail, so they do not count against the organization's limit. */
async function countSent(
  tx: Transaction,
  { orgId, email, known, network }: { orgId: string; email: string; known: string; network: string },
): Promise<Counted> {
  const [counted] = await tx.$queryRaw<[Counted]>`
    WITH today AS (
      SELECT org_id = ${orgId}::uuid AS is_own, is_known, origins, created_at FROM connections.email_proofs
      WHERE email = ${email} AND created_at > now() - interval '1 day'
    )
    SELECT count(*) FILTER (WHERE is_own AND is_known AND ${known} = ANY (origins))::int AS known,
      count(*) FILTER (WHERE is_own AND NOT is_known AND ${network} = ANY (origins))::int AS network,
      count(*) FILTER (WHERE is_own AND NOT is_known)::int AS strangers,
      count(*) FILTER (WHERE NOT is_known)::int AS address,
      coalesce(extract(epoch FROM min(created_at) + interval '1 day' - now()), 3600)::int AS "retryAfter",
      (SELECT count(*)::int FROM (
        SELECT FROM connections.email_proofs WHERE org_id = ${orgId}::uuid AND created_at > now() - interval '1 day'
          AND code_hashes <> '{}' LIMIT ${BOUNDS.organization}) mailed) AS organization
    FROM today`;
  return counted;
}
