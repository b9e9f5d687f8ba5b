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

/** Where every call is held to the policies before it runs. */
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

/** No model is told of a call that nobody makes: where one would be asked it may well be risky. */
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
