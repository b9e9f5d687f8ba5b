import { hashToken, newId } from '@drawbridge/contracts';
import { type RetentionRule } from '@drawbridge/events';
import { oldMails, requireMailable, type SentMails } from '@drawbridge/mail';
import { type GetIdentityRequest } from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { type Transaction } from '../database.js';

const MAX_TRIES = 5;

/** What anybody may ask for, for any email, is counted apart from what organizations send. */
export const CODES: SentMails = {
  table: 'connections.email_proofs',
  bounds: { pair: 10, address: 20, organization: 20_000 },
};

export const OLD_PROOFS: RetentionRule = oldMails(CODES);

interface NewProof {
  orgId: string;
  workspaceId: string;
  flowHash: string;
  email: string;
}

/** Of a flow the newest alone is looked at. Throws RATE_LIMITED. */
export async function newProof(tx: Transaction, { orgId, workspaceId, flowHash, email }: NewProof): Promise<string> {
  await requireMailable(tx, CODES, { orgId, email });
  const id = newId();
  await tx.$executeRaw`
    INSERT INTO connections.email_proofs (id, org_id, workspace_id, flow_hash, email, expires_at)
    VALUES (${id}::uuid, ${orgId}::uuid, ${workspaceId}::uuid, ${flowHash}, ${email}, now() + interval '10 minutes')`;
  return id;
}

/** One more code of a proof: answers where it is mailed to; nothing, where it is over. */
export async function addCode(
  db: Pick<Transaction, '$queryRaw'>,
  { id, orgId, code }: { id: string; orgId: string; code: string },
): Promise<Omit<NewProof, 'orgId'> | undefined> {
  const [proof] = await db.$queryRaw<Omit<NewProof, 'orgId'>[]>`
    UPDATE connections.email_proofs SET code_hashes = array_append(code_hashes, encode(sha256((flow_hash || ${code})::bytea), 'hex'))
    WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid AND expires_at > now()
    RETURNING workspace_id AS "workspaceId", flow_hash AS "flowHash", email`;
  return proof;
}

/** A try at the newest proof of a flow: of those that race no more than five are looked at. */
export async function tryCode(
  db: Pick<Transaction, '$queryRaw'>,
  { flowHash, code }: { flowHash: string; code: string },
): Promise<boolean> {
  const hash = hashToken(flowHash + code.replace(/[\s-]/g, ''));
  const [tried] = await db.$queryRaw<{ isProven: boolean }[]>`
    UPDATE connections.email_proofs SET tries = tries + 1,
      proven_at = CASE WHEN ${hash} = ANY(code_hashes) THEN now() END,
      expires_at = CASE WHEN ${hash} = ANY(code_hashes) THEN now() + interval '10 minutes' ELSE expires_at END
    WHERE id = (SELECT id FROM connections.email_proofs WHERE flow_hash = ${flowHash} ORDER BY id DESC LIMIT 1)
      AND tries < ${MAX_TRIES} AND proven_at IS NULL AND expires_at > now()
    RETURNING proven_at IS NOT NULL AS "isProven"`;
  return tried?.isProven ?? false;
}

/** Of a flow, in the workspace for which it was proven. */
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
