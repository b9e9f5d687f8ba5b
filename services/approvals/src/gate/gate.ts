import { refused } from '@drawbridge/contracts';
import { type JsonObject } from '@drawbridge/piece-kit';
import {
  type Admission,
  type AdmitRequest,
  type GateServiceDefinition,
  type JudgeRequest,
  type Verdict as ShownVerdict,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller, type Implementation, requireInScope } from '@drawbridge/rpc';
import { type AskModel, findVerdict, keepVerdict } from '../model/risk-model.js';
import { type Verdict } from '../policies/evaluate.js';
import { type PolicyCall } from '../policies/policy.js';
import { type StoredPolicy } from '../policies/stored-policies.js';
import { isShownInFull } from '../requests/approval-pages.js';
import { admitCodeRun, getCodeRunApprovals } from './admit-code-run.js';
import {
  blockedBy,
  evaluateCall,
  type Judgement,
  type Matched,
  policyAgainstRedirect,
  type PolicyParts,
  redirectRules,
} from './call-policies.js';
import { findByKey, findStanding, inputHash } from './earlier-requests.js';
import { type ApprovalParts, underApproval, useApproval, WANTS_PREVIEW } from './require-approval.js';

interface GateParts extends ApprovalParts, PolicyParts {
  askModel: AskModel;
}

/** Implements the RPCs that evaluate the policies for every call before it runs. */
export const gate = (parts: GateParts): Implementation<GateServiceDefinition> => ({
  // Reads the database and not the cache of policies, because callers cache the response. Two caches together would exceed the maximum staleness.
  async getGate() {
    const where = { orgId: caller().orgId, enabled: true };
    return { guarded: (await parts.db.approvalPolicy.findFirst({ where, select: { id: true } })) !== null };
  },

  judge: (request) => judge(parts, request),

  admit: (request) => admit(parts, request),

  admitCodeRun: (request) => admitCodeRun(parts, request),

  getCodeRunApprovals: (request) => getCodeRunApprovals(parts, request),

  async judgeRedirect(request) {
    requireInScope(request.workspaceId);
    return { policyName: (await policyAgainstRedirect(parts, request))?.name };
  },

  async useApproval(request) {
    await useApproval(parts, request);
    return {};
  },
});

/** Evaluates the policies for a call that is not made. Does not request a verdict of the model: if a policy needs one, the call counts as risky. */
async function judge(parts: GateParts, request: JudgeRequest): Promise<ShownVerdict> {
  requireInScope(request.workspaceId);
  const unasked: Verdict = { isRisky: true, reason: 'the model is asked when the action runs', isDoubt: true };
  const judgement = await evaluateCall(parts, request, async () => unasked);
  const { decision, policy, reasons } = judgement;
  const redirects = await redirectRules(parts, request, judgement);
  const refusal = decision === 'block' ? await refused(() => Promise.reject(blockedBy(judgement))) : undefined;
  return { decision, policyId: policy?.id, reasons, refusal, redirects };
}

/**
 * Thrown if the risk model must evaluate the call and the RPC request contains no preview. A model receives only what an approver sees, and that is
 * the preview.
 */
class NoPreview extends Error {}

/** Decides whether a call may run. Throws the errors that the RPC Admit documents. */
async function admit(parts: GateParts, request: AdmitRequest): Promise<Admission> {
  try {
    const judgement = await evaluateCall(parts, request, (policy, call) => verdictOn(parts, request, { policy, call }));
    const admission = await admitAs(parts, request, judgement);
    return { ...admission, redirects: await redirectRules(parts, request, judgement) };
  } catch (error) {
    if (error instanceof NoPreview) return WANTS_PREVIEW;
    throw error;
  }
}

async function admitAs(parts: GateParts, request: AdmitRequest, judgement: Judgement): Promise<Admission> {
  switch (judgement.decision) {
    case 'block':
      throw blockedBy(judgement);
    case 'require_approval':
      return underApproval(parts, request, judgement);
    case 'notify_only':
      await notify(parts, request, judgement);
      break;
    case 'auto_approve':
    case 'allow':
      break;
    default:
      return judgement satisfies never;
  }
  return { admission: { $case: 'free', value: {} } };
}

/**
 * Returns the verdict of the risk model. The retry of a risky call stays risky, and an identical call reuses the stored verdict, so that a model that
 * answers differently cannot change the decision. Throws NoPreview.
 */
async function verdictOn(
  { db, askModel }: GateParts,
  { workspaceId, call: gated, idempotencyKey, preview, requestHash }: AdmitRequest,
  { policy, call }: { policy: StoredPolicy; call: PolicyCall },
): Promise<Verdict> {
  const { orgId } = caller();
  const asked = { orgId, policyId: policy.id, inputHash: inputHash({ orgId, workspaceId }, gated!) };
  const { standing } = findStanding(await findByKey(db, orgId, idempotencyKey), { ...asked, requestHash });
  if (standing !== 'none') return { isRisky: true, reason: 'the call was already risky when it was first sent' };
  const judged = { ...asked, policyVersion: policy.updatedAt };
  const known = await findVerdict(db, judged);
  if (known) return known;
  if (!preview) throw new NoPreview();
  const { input = {}, truncatedFields, omittedFields } = preview;
  const isWhole = isShownInFull({ inputPreview: input, truncatedFields, omittedFields });
  return keepVerdict(db, judged, await askModel({ policy, call, shown: input as JsonObject, isWhole }));
}

/** Publishes the event approvalNotified, which is delivered to the webhooks of the policy. The event is sent even if the call fails later. */
async function notify(
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
