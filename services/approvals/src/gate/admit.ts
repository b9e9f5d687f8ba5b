import { type JsonObject } from '@drawbridge/piece-kit';
import { type Admission, type AdmitRequest } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller } from '@drawbridge/rpc';
import { findVerdict, keepVerdict } from '../model/verdicts.js';
import { type Verdict } from '../policies/evaluate.js';
import { blocked } from './blocked.js';
import { findByKey } from './earlier-requests.js';
import { type GateParts } from './gate-parts.js';
import { inputHash } from './input-hash.js';
import { type AskRisk, type Judgement, type Matched } from './policies-in-force.js';
import { findStanding } from './standing.js';
import { underApproval } from './under-approval.js';

const FREE: Admission = { admission: { $case: 'free', value: {} } };
const WANTS_PREVIEW: Admission = { admission: { $case: 'wantsPreview', value: {} } };

/** Thrown when a model must evaluate the call and the request has no preview: a model sees no more than an approver. */
class NoPreview extends Error {}

/** Decides whether a call may run. Fails as the RPC says. */
export async function admit(parts: GateParts, request: AdmitRequest): Promise<Admission> {
  const { workspaceId, call } = request;
  try {
    const judgement = await parts.policies.judge(workspaceId, call!, riskOf(parts, request));
    const admission = await admitAs(parts, request, judgement);
    return { ...admission, redirects: await parts.policies.redirectRules(workspaceId, call!, judgement) };
  } catch (error) {
    if (error instanceof NoPreview) return WANTS_PREVIEW;
    throw error;
  }
}

async function admitAs(parts: GateParts, request: AdmitRequest, judgement: Judgement): Promise<Admission> {
  switch (judgement.decision) {
    case 'block':
      throw blocked(judgement);
    case 'require_approval':
      return underApproval(parts, request, judgement);
    case 'notify_only':
      await tell(parts, request, judgement);
      return FREE;
    case 'auto_approve':
    case 'allow':
      return FREE;
    default:
      return judgement satisfies never;
  }
}

/** Returns how to get a verdict: a retry of a risky call stays risky, and an identical call reuses the stored verdict. Throws NoPreview. */
function riskOf({ db, askModel }: GateParts, request: AdmitRequest): AskRisk {
  const { workspaceId, call, idempotencyKey, preview, requestHash } = request;
  return async (policy, policyCall): Promise<Verdict> => {
    const { orgId } = caller();
    const asked = { orgId, policyId: policy.id, inputHash: inputHash({ orgId, workspaceId }, call!) };
    const { standing } = findStanding(await findByKey(db, orgId, idempotencyKey), { ...asked, requestHash });
    if (standing !== 'none') return { isRisky: true, reason: 'it was when it was asked first' };
    const judged = { ...asked, policyVersion: policy.updatedAt };
    const known = await findVerdict(db, judged);
    if (known) return known;
    if (!preview) throw new NoPreview();
    const shown = (preview.input ?? {}) as JsonObject;
    return keepVerdict(db, judged, await askModel({ policy, call: policyCall, shown }));
  };
}

/** Publishes approvalNotified for the webhooks of the policy. It is sent even if the call fails later. */
async function tell(
  { db, outbox }: GateParts,
  { workspaceId, call }: AdmitRequest,
  { policy, reasons: riskReasons }: Matched,
): Promise<void> {
  const { orgId, source } = caller();
  const { integrationName, integrationAlias, actionName } = call!;
  const facts = { policyId: policy.id, workspaceId, source, integrationName, integrationAlias, actionName };
  const value = { ...facts, riskReasons };
  await db.$transaction((tx) => outbox.add(tx, { $case: 'approvalNotified', value }, orgId));
  outbox.wake();
}
