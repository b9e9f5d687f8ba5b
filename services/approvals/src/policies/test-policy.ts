import { type ConnectionStrategy, type ExecutionSource, NIL_ID } from '@drawbridge/contracts';
import {
  type Action,
  categoryOfCall,
  hideInUrls,
  hideSensitive,
  isSecretOf,
  type JsonObject,
} from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import {
  type ApprovalPolicyTest,
  type ApprovalTestContext,
  ApprovalTestContextDefaults,
  type TestApprovalPolicyRequest,
} from '@drawbridge/proto/drawbridge/approvals/v1/policies';
import { caller, requireInScope } from '@drawbridge/rpc';
import { type AskModel } from '../model/risk-model.js';
import { decide } from './evaluate.js';
import { type Evaluator } from './evaluator.js';
import { type RequirePolicy } from './policy-problems.js';
import { type Policy, type PolicyCall } from './policy.js';
import { preparePolicies } from './prepare-policies.js';
import { withDefaults } from './stored-policies.js';

export interface TestNeeds {
  /** Throws NOT_FOUND for a workspace that does not belong to the caller, SCOPE_DENIED and FORBIDDEN. */
  requireWorkspaceNow(workspaceId: string): Promise<unknown>;
  requirePolicy: RequirePolicy;
  askModel: AskModel;
  evaluator: Evaluator;
}

/** Returns the decision that the given policy would make on a call if it were the only policy. Nothing is stored and the call is not made. */
export async function testPolicy(
  { requireWorkspaceNow, requirePolicy, askModel, evaluator }: TestNeeds,
  { policy: wanted = {}, context = {} }: TestApprovalPolicyRequest,
): Promise<ApprovalPolicyTest> {
  await requirePolicy(wanted, 'policy.');
  for (const place of [context.workspaceId, wanted.workspaceId]) if (place) await requireWorkspaceNow(place);
  requireInScope(context.workspaceId, wanted.workspaceId);
  const { call, action } = toCall(context);
  const tested = preparePolicies([toPolicy(wanted)]);
  const { orgId } = caller();
  const { decision, policy, reasons } = await decide(
    (verdicts) => evaluator.evaluate(orgId, tested, call, verdicts),
    (one) => {
      const shown = hidden(call.input, isSecretOf({ props: action?.props ?? {} }));
      return askModel({ policy: one, call, shown, isWhole: true });
    },
  );
  return { decision, matched: policy !== undefined, reasons };
}

function toPolicy(given: NonNullable<TestApprovalPolicyRequest['policy']>) {
  const { name = '', description, workspaceId, ...wanted } = given;
  const place = workspaceId?.toLowerCase() ?? null;
  const policy = { id: NIL_ID, name, description: description ?? null, workspaceId: place, ...withDefaults(wanted) };
  return policy as unknown as Policy & { description: string | null };
}

/**
 * Builds the call to evaluate. Its category and recipients come from the piece (the connector of the provider), and are unknown if the piece does not
 * exist.
 */
function toCall(context: ApprovalTestContext): { call: PolicyCall; action?: Action } {
  const { source = ApprovalTestContextDefaults.source, connectionStrategy, input = {}, ...named } = context;
  const { integrationName = '', actionName = '' } = named;
  const actions = findPiece(integrationName)?.actions ?? {};
  const action = Object.hasOwn(actions, actionName) ? actions[actionName] : undefined;
  const call: PolicyCall = {
    ...named,
    source: source as ExecutionSource,
    connectionStrategy: connectionStrategy as ConnectionStrategy | undefined,
    input: input as JsonObject,
    category: action && categoryOfCall(action, input as JsonObject),
    recipients: action?.recipients ?? [],
  };
  return { call, action };
}

/** Redacts the input like the input of a real call, except for the credential, because a test has none. */
function hidden(input: JsonObject, isSecret: (key: string) => boolean): JsonObject {
  return JSON.parse(hideInUrls(JSON.stringify(hideSensitive(input, isSecret))));
}
