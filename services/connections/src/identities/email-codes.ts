import { ApiError, hashToken, newId } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { type GetIdentityRequest } from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { type Transaction } from '../database.js';

const MAX_TRIES = 5;

/**
 * Creates an email proof, the pending verification of an email address. Only the newest proof of an authorization flow is valid. Throws RATE_LIMITED.
 */
export async function newProof(
  tx: Transaction,
  { workspaceId, flowHash, ...asking }: Asking & { workspaceId: string; flowHash: string },
): Promise<string> {
  const isKnown = await requireCodeAllowed(tx, asking);
  const { orgId, email } = asking;
  const id = newId();
  await tx.$executeRaw`
    INSERT INTO connections.email_proofs (id, org_id, workspace_id, flow_hash, email, origins, is_known, expires_at)
    VALUES (${id}::uuid, ${orgId}::uuid, ${workspaceId}::uuid, ${flowHash}, ${email}, ${originsOf(asking)}, ${isKnown},
      now() + interval '10 minutes')`;
  return id;
}

/** Adds a code to an email proof if its address belongs to exactly one end user of the workspace. Returns the address, or undefined. */
export async function addCode(
  db: Pick<Transaction, '$queryRaw'>,
  { id, orgId, code }: { id: string; orgId: string; code: string },
): Promise<string | undefined> {
  const [proof] = await db.$queryRaw<{ email: string }[]>`
    UPDATE connections.email_proofs p
    SET code_hashes = array_append(code_hashes, encode(sha256((flow_hash || ${code})::bytea), 'hex'))
    WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid AND expires_at > now() AND 1 = (SELECT count(*) FROM (
      SELECT FROM connections.end_users e WHERE e.org_id = p.org_id AND e.workspace_id = p.workspace_id
        AND lower(e.email) = p.email AND e.email IS NOT NULL LIMIT 2) people)
    RETURNING email`;
  return proof?.email;
}

/**
 * Verifies a code with the newest proof of an authorization flow. Allows at most five tries, including concurrent tries. After a correct code, the
 * browser and network of the flow have higher limits for 30 days.
 */
export async function tryCode(
  db: Pick<Transaction, '$queryRaw'>,
  { flowHash, code }: { flowHash: string; code: string },
): Promise<boolean> {
  const hash = hashToken(flowHash + code.replace(/[\s-]/g, ''));
  const [tried] = await db.$queryRaw<{ isProven: boolean }[]>`
    WITH tried AS (UPDATE connections.email_proofs SET tries = tries + 1,
      proven_at = CASE WHEN ${hash} = ANY(code_hashes) THEN now() END,
      expires_at = CASE WHEN ${hash} = ANY(code_hashes) THEN now() + interval '10 minutes' ELSE expires_at END
    WHERE id = (SELECT id FROM connections.email_proofs WHERE flow_hash = ${flowHash} ORDER BY id DESC LIMIT 1)
      AND tries < ${MAX_TRIES} AND proven_at IS NULL AND expires_at > now()
    RETURNING org_id, email, origins, proven_at IS NOT NULL AS "isProven"
    ), noted AS (
      INSERT INTO connections.proven_origins (id, org_id, email, origin, expires_at)
      SELECT gen_random_uuid(), org_id, email, origin, now() + interval '30 days'
      FROM tried, unnest(origins) AS origin WHERE "isProven"
      ON CONFLICT (org_id, email, origin) DO UPDATE SET expires_at = excluded.expires_at
    )
    SELECT "isProven" FROM tried`;
  return tried?.isProven ?? false;
}

/** Returns the email address that was verified in an authorization flow, for this workspace only. */
export async function provenEmail(
  db: Pick<Transaction, '$queryRaw'>,
  { orgId, placeId, flowHash }: Pick<GetIdentityRequest, 'orgId' | 'placeId' | 'flowHash'>,
): Promise<string | undefined> {
  const [proof] = await db.$queryRaw<{ email: string }[]>`
    SELECT email FROM connections.email_proofs
    WHERE org_id = ${orgId}::uuid AND workspace_id = ${placeId}::uuid AND flow_hash = ${flowHash}
      AND proven_at IS NOT NULL AND expires_at > now() ORDER BY id DESC LIMIT 1`;
  return proof?.email;
}

/** Maximum numbers of codes in a day, because each code sends an email and allows five guesses of eight digits. */
const BOUNDS = {
  /** For one address of an organization, from a browser or network from which the address was verified in the last 30 days. */
  known: 10,
  /** For one address of an organization, from unknown browsers in one network. */
  network: 5,
  /** For one address of an organization, from all unknown browsers. */
  strangers: 20,
  /** For one address in all organizations, from all unknown browsers. */
  address: 40,
  /** For all addresses of the end users of an organization. */
  organization: 20_000,
};

interface Asking {
  orgId: string;
  email: string;
  network: string;
  /** Empty if the browser has no cookie. */
  browserId: string;
}

interface Counted extends Record<keyof typeof BOUNDS, number> {
  retryAfter: number;
}

/**
 * Throws RATE_LIMITED if a limit is reached. Does not depend on whether the address belongs to an end user, so that the error does not reveal it.
 * Returns true if the address was verified from this browser or network recently. Locks the address until the transaction ends, so that concurrent
 * requests are counted.
 */
async function requireCodeAllowed(tx: Transaction, { orgId, email, ...from }: Asking): Promise<boolean> {
  await lock(tx, `codes to ${email}`);
  const proven = await tx.$queryRaw<{ origin: string }[]>`
    SELECT origin FROM connections.proven_origins
    WHERE org_id = ${orgId}::uuid AND email = ${email} AND origin = ANY (${originsOf(from)}) AND expires_at > now()`;
  // Prefers the limit of a known browser over the limit of its network, so that other browsers of the network cannot use up its codes.
  const known = proven.find(({ origin }) => origin === from.browserId) ?? proven[0];
  const counted = await countSent(tx, { orgId, email, known: known?.origin ?? '', network: from.network });
  const kinds = known ? (['known'] as const) : (['network', 'strangers', 'address', 'organization'] as const);
  if (kinds.every((kind) => counted[kind] < BOUNDS[kind])) return known !== undefined;
  const details = { retryAfter: Math.max(1, counted.retryAfter) };
  throw new ApiError('RATE_LIMITED', `Too many codes were requested for ${email} today`, { details });
}

/** Returns the origins of a request: the network and the browser, if known. */
const originsOf = ({ network, browserId }: Pick<Asking, 'network' | 'browserId'>): string[] =>
  [network, browserId].filter((origin) => origin !== '');

/**
 * Counts the codes of the last day for each limit. A proof without a code sent no email, because its address belongs to no end user, so it does not
 * count towards the limit of the organization.
 */
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
