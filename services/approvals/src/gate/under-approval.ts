import { ApiError, invalid } from '@drawbridge/contracts';
import { type AdmitRequest, type Admission } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller } from '@drawbridge/rpc';
import { expireDue } from '../requests/expiry.js';
import { findRequest } from '../requests/find-request.js';
import { toApprovalId } from '../requests/request-ids.js';
import { toApproval } from '../requests/to-approval.js';
import { findByKey, findReusable, type FoundByKey } from './earlier-requests.js';
import { type GateParts } from './gate-parts.js';
import { inputHash } from './input-hash.js';
import { openRequest } from './open-request.js';
import { type Matched } from './policies-in-force.js';
import { findStanding } from './standing.js';

/**
 * Decides a call that needs an approval: it runs as the exact retry or within the reuse window of an earlier approval, or it waits. Throws
 * FORBIDDEN if its request timed out, VALIDATION_ERROR if its key belongs to another call, and the errors of opening a request.
 */
export async function underApproval(parts: GateParts, request: AdmitRequest, verdict: Matched): Promise<Admission> {
  const { db, pool, links } = parts;
  const { orgId } = caller();
  const { workspaceId, call, idempotencyKey, requestHash } = request;
  const { policy } = verdict;
  const asked = { orgId, policyId: policy.id, requestHash, inputHash: inputHash({ orgId, workspaceId }, call!) };
  await expireDue(pool, orgId);
  const { standing, earlier } = findStanding(await findByKey(db, orgId, idempotencyKey), asked);
  switch (standing) {
    case 'approved':
      return runsUnder(earlier.id, true);
    case 'pending':
      return waits(toApproval(links, await findRequest(db, earlier.id)));
    case 'refused':
      throw expiredLately(earlier);
    case 'taken':
      throw invalid({ idempotencyKey: 'asked for the approval of another call; take a new key' });
    case 'none':
      break;
    default:
      return standing satisfies never;
  }
  const reuse = { policyVersion: policy.updatedAt, withinSeconds: policy.reuseWindowSeconds };
  const reusable = await findReusable(db, { ...asked, ...reuse });
  if (reusable) return runsUnder(reusable.id, false);
  if (!request.preview) return { admission: { $case: 'wantsPreview', value: {} } };
  const opened = await openRequest(parts, request, { ...verdict, inputHash: asked.inputHash });
  // Undefined: another call opened a request under the key meanwhile.
  return opened ? waits(toApproval(links, opened)) : underApproval(parts, request, verdict);
}

function runsUnder(id: string, mustUse: boolean): Admission {
  return { admission: { $case: 'approved', value: { approvalId: toApprovalId(id), mustUse } } };
}

function waits(value: ReturnType<typeof toApproval>): Admission {
  return { admission: { $case: 'pending', value } };
}

function expiredLately({ id }: FoundByKey): ApiError {
  return new ApiError('FORBIDDEN', `Nobody approved this in time (${toApprovalId(id)})`, {
    details: { approvalId: toApprovalId(id), reason: 'expired' },
  });
}
