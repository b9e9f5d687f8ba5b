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

/** A policy wants a model to be asked, which is shown no more than people are. */
class NoPreview extends Error {}

/** Whether a call may run. Fails as the RPC says. */
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

/** What was risky once is so for its retry, and what a model said of a call holds for the same one: it is asked once. Throws NoPreview. */
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

/** Those who want to hear of such a call do, also where it then fails. */
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
