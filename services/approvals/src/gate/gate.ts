import { refused } from '@drawbridge/contracts';
import {
  type GateServiceDefinition,
  type JudgeRequest,
  type Verdict,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type Implementation, requireInScope } from '@drawbridge/rpc';
import { admit } from './admit.js';
import { blocked } from './blocked.js';
import { type GateParts } from './gate-parts.js';
import { useApproval } from './use-approval.js';

/** Evaluates the policies for every call before it runs. */
export const gate = (parts: GateParts): Implementation<GateServiceDefinition> => ({
  async getGate() {
    return { guarded: await parts.policies.areAny() };
  },

  judge: (request) => judge(parts, request),

  admit: (request) => admit(parts, request),

  async judgeRedirect(request) {
    requireInScope(request.workspaceId);
    return { policyName: (await parts.policies.policyAgainstRedirect(request))?.name };
  },

  async useApproval(request) {
    await useApproval(parts, request);
    return {};
  },
});

/** Evaluates a call that is not made. Does not call a model: a policy that would ask one counts the call as risky. */
async function judge({ policies }: GateParts, { workspaceId, call }: JudgeRequest): Promise<Verdict> {
  requireInScope(workspaceId);
  const unasked = { isRisky: true, reason: 'asked when the action runs' };
  const judgement = await policies.judge(workspaceId, call!, async () => unasked);
  const { decision, policy, reasons } = judgement;
  const redirects = await policies.redirectRules(workspaceId, call!, judgement);
  if (!policy) return { decision, reasons, policyId: undefined, refusal: undefined, redirects };
  const refusal = decision === 'block' ? await refused(() => Promise.reject(blocked(judgement))) : undefined;
  return { decision, policyId: policy.id, reasons, refusal, redirects };
}
