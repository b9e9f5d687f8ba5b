import { hashToken, newId } from '@drawbridge/contracts';
import { type RetentionRule } from '@drawbridge/events';
import { type GetIdentityRequest } from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { type Transaction } from '../database.js';
import { type Asking, originsOf, requireCodeAllowed } from './code-bounds.js';

const MAX_TRIES = 5;

export const OLD_PROOFS: RetentionRule = {
  table: 'connections.email_proofs',
  key: 'id',
  oldest: 'created_at',
  expired: "created_at < now() - interval '1 day'",
};

export const OLD_ORIGINS: RetentionRule = {
  table: 'connections.proven_origins',
  key: 'id',
  oldest: 'expires_at',
  expired: 'expires_at < now()',
};

interface NewProof extends Asking {
  workspaceId: string;
  flowHash: string;
}

/** Creates a proof. Only the newest proof of a flow counts. Throws RATE_LIMITED. */
export async function newProof(tx: Transaction, { workspaceId, flowHash, ...asking }: NewProof): Promise<string> {
  const isKnown = await requireCodeAllowed(tx, asking);
  const { orgId, email } = asking;
  const id = newId();
  await tx.$executeRaw`
    INSERT INTO connections.email_proofs (id, org_id, workspace_id, flow_hash, email, origins, is_known, expires_at)
    VALUES (${id}::uuid, ${orgId}::uuid, ${workspaceId}::uuid, ${flowHash}, ${email}, ${originsOf(asking)}, ${isKnown},
      now() + interval '10 minutes')`;
  return id;
}

/** Adds a code to a proof whose email is that of exactly one end user of the workspace. Returns the email, or undefined. */
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
 * Checks a code against the newest proof of a flow, for at most five tries, even concurrent ones. A correct code makes its browser and network known
 * for 30 days.
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

/** Returns the email that was proven in a flow, for this workspace only. */
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
