import { createHash } from 'node:crypto';
import { type GatedCall } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import canonicalize from 'canonicalize';
import { type Prisma } from '../gen/prisma/client.js';
import { type StoredPolicy } from '../policies/stored-policies.js';

type Reader = Pick<Prisma.TransactionClient, '$queryRaw'>;

export type FoundByKey = EarlierRequest & { id: string };

/**
 * Maximum number of approval requests with one idempotency key that are read. A key has more than one request only if its call changed or if an
 * earlier request ended without running the call.
 */
const MAX_SEEN = 20;

/** Returns the approval requests that were created with an idempotency key, newest first. */
export async function findByKey(db: Reader, orgId: string, key: string | undefined): Promise<FoundByKey[]> {
  if (key === undefined) return [];
  return db.$queryRaw<FoundByKey[]>`
    SELECT id, status, policy_id AS "policyId", input_hash AS "inputHash", request_hash AS "requestHash",
      default_on_timeout AS "defaultOnTimeout",
      coalesce(receipt_expires_at > now(), false) AS "isReceiptGood",
      now() < expires_at + timeout_seconds * interval '1 second' AS "expiredLately",
      coalesce(consumed_at > now() - interval '24 hours', false) AS "usedLately"
    FROM approvals.approval_requests WHERE org_id = ${orgId}::uuid AND idempotency_key = ${key}
    ORDER BY created_at DESC LIMIT ${MAX_SEEN}`;
}

/**
 * Returns the last approval of an identical call within the reuse window of the policy. The window is null or 0 if an approval only covers the exact
 * retry of the call. A change of the policy ends the reuse of earlier approvals.
 */
export async function findReusable(
  db: Reader,
  { orgId, inputHash }: { orgId: string; inputHash: string },
  { id: policyId, updatedAt, reuseWindowSeconds }: StoredPolicy,
): Promise<{ id: string } | undefined> {
  if (!reuseWindowSeconds) return undefined;
  const [found] = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM approvals.approval_requests
    WHERE org_id = ${orgId}::uuid AND input_hash = ${inputHash} AND policy_id = ${policyId}::uuid
      AND policy_version = ${updatedAt.toISOString()}::timestamptz AND status IN ('approved', 'consumed') AND decided_at > now() - ${reuseWindowSeconds}::int * interval '1 second'
    ORDER BY decided_at DESC LIMIT 1`;
  return found;
}

/** An earlier approval request with the idempotency key of a call. Times are compared with the clock of the database. */
export interface EarlierRequest {
  status: string;
  policyId: string;
  inputHash: string;
  /** Null if the request was created by an earlier version of this service, which did not store the hash. */
  requestHash: string | null;
  defaultOnTimeout: string;
  /** True if the approval has not expired, so that the exact retry of the call can still run. */
  isReceiptGood: boolean;
  /** True if less time has passed since the expiry than the request was open. A retry is rejected during that time. */
  expiredLately: boolean;
  /** True if the call ran less than 24 hours ago, so that its result is still stored under the idempotency key. */
  usedLately: boolean;
}

/**
 * The effect of an earlier approval request on a retry: the retry waits (`pending`), runs (`approved`), is rejected (`refused`) or has the key of a
 * different call (`taken`), or there is no effect.
 */
export type Standing = 'pending' | 'approved' | 'refused' | 'taken' | 'none';

/** The call that is compared with earlier approval requests. `requestHash` is absent if the call has no idempotency key yet. */
export interface AskedCall {
  inputHash: string;
  policyId: string;
  requestHash?: string;
}

/** The earlier approval request that applies to a call, with its effect. */
export type Found<Row> =
  { standing: 'none'; earlier?: undefined } | { standing: Exclude<Standing, 'none'>; earlier: Row };

/**
 * Returns the earlier request that applies, and prefers one for exactly this call. An idempotency key can have several requests if the connection was
 * reconnected or a policy changed.
 */
export function findStanding<Row extends EarlierRequest>(rows: readonly Row[], asked: AskedCall): Found<Row> {
  const live = rows.flatMap((earlier) => {
    const standing = standingOf(earlier, asked);
    return standing === 'none' ? [] : [{ standing, earlier }];
  });
  return live.find(({ standing }) => standing !== 'taken') ?? live[0] ?? { standing: 'none' };
}

export function standingOf(earlier: EarlierRequest, { inputHash, policyId, requestHash }: AskedCall): Standing {
  const standing = ownStandingOf(earlier);
  if (standing === 'none') return 'none';
  if (earlier.inputHash === inputHash) {
    // An approval only applies to the policy that required it. If another policy now decides the call, that policy needs an approval of its own.
    return earlier.policyId === policyId ? standing : 'none';
  }
  // If the hash of the request is equal but the hash of the input is not, a partial (a stored part of the input) or the connection has changed since.
  // The retry is then a different call that no approver has seen.
  return earlier.requestHash === null || earlier.requestHash === requestHash ? 'none' : 'taken';
}

/** Returns true if the earlier approval request is for exactly this call and this policy. */
export function isOfCall(earlier: EarlierRequest, { inputHash, policyId }: AskedCall): boolean {
  return earlier.inputHash === inputHash && earlier.policyId === policyId;
}

function ownStandingOf(earlier: EarlierRequest): Standing {
  const { defaultOnTimeout, isReceiptGood, expiredLately, usedLately } = earlier;
  switch (earlier.status) {
    case 'pending':
      return 'pending';
    case 'approved':
      return isReceiptGood ? 'approved' : 'none';
    // If two retries race, the first uses the approval and locks the idempotency key. A later retry is admitted, because it then receives the stored
    // result.
    case 'consumed':
      return usedLately ? 'approved' : 'none';
    case 'expired':
      return defaultOnTimeout === 'reject' && expiredLately ? 'refused' : 'none';
    default:
      return 'none';
  }
}

/** The organization and the workspace that make the call. */
export interface Asker {
  orgId: string;
  workspaceId: string;
}

/**
 * Returns a hash of everything that an approval covers: the call in canonical form (RFC 8785), with the final input, the configured integration, the
 * connection with the generation of its credential, and the account label that the approver sees. The source of the call is not included.
 */
export function inputHash({ orgId, workspaceId }: Asker, call: GatedCall): string {
  const { integrationName, workspaceIntegrationId, integrationAlias, actionName } = call;
  const { connectionId, connectionGeneration, account, endUserId, stateOf, input = {} } = call;
  return hashOf({
    orgId,
    workspaceId: workspaceId.toLowerCase(),
    integrationName,
    workspaceIntegrationId,
    integrationAlias,
    actionName,
    connectionId,
    connectionGeneration,
    account,
    endUserId,
    stateOf,
    input,
  });
}

/** Returns a hash of the canonical form of an object. */
export function hashOf(value: object): string {
  const hash = createHash('sha256').update(canonicalize(value) ?? '');
  return hash.digest('hex');
}
