import { ApiError } from '@drawbridge/contracts';
import { type Action, categoryOfCall, type JsonObject } from '@drawbridge/piece-kit';
import {
  type Admission,
  type AdmitRequest,
  type Approved,
  type GatedCall,
  type JudgeRequest,
  type RedirectRules,
  type Verdict,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type Instance } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { requestHash } from '../claims/idempotency-key.js';
import { type StateSpace } from '../state/state-space.js';
import { open, type OpenedCredential, type SelectedConnection } from './connection.js';
import { type ActionCall, type Pipeline } from './pipeline.js';
import { type ResolvedCall } from './resolve.js';

export type RequireRedirect = (host: string) => Promise<void>;

/** The result of the policies: the call may run, possibly under an approval, or it waits for an approval. */
export interface Admitted {
  approval?: Approved;
  /** Throws EgressError for a host that a redirect must not reach. Absent if no policy has rules for hosts. */
  requireRedirect?: RequireRedirect;
  pending?: Approval;
}

type Needs = Pick<Pipeline, 'policies' | 'vault' | 'redactorFor' | 'previewer'>;

/** Either the pending approval that the call waits for, or the opened credential. */
type GateResult =
  | { pending: Approval; approval?: undefined; requireRedirect?: undefined; opened?: undefined }
  | (Pick<Admitted, 'approval' | 'requireRedirect'> & { pending?: undefined; opened: OpenedCredential });

/**
 * Evaluates the policies, then opens the connection. An approval covers one generation of a credential. If the connection was reconnected after the
 * evaluation, evaluates the policies again for the opened credential. Throws the errors of the approvals service and of the vault.
 */
export async function openGated(
  pipeline: Needs,
  call: ActionCall & ResolvedCall,
  selected: SelectedConnection | undefined,
): Promise<GateResult> {
  const { approval, pending, requireRedirect } = await gate(pipeline, call, selected);
  if (pending) return { pending };
  const opened = await open(pipeline, call, selected?.connectionId);
  const { generation, account: displayName } = opened;
  const isCovered = generation === selected?.generation && displayName === selected?.displayName;
  if (!approval || !selected || isCovered) return { approval, requireRedirect, opened };
  return openGated(pipeline, call, { ...selected, generation, displayName });
}

/**
 * Evaluates the policies for a call with its final input, before anything is opened, claimed or sent. Throws the errors of the approvals service:
 * FORBIDDEN if a policy blocks the call, UNAVAILABLE if the policies cannot be evaluated.
 */
async function gate(
  pipeline: Needs,
  call: ActionCall & ResolvedCall,
  selected: SelectedConnection | undefined,
): Promise<Admitted> {
  if (!(await pipeline.policies.isGuarded())) return {};
  const { request, key, invocation, input, action, space, tool, codeRun } = call;
  const { workspaceId } = request;
  const { instance } = invocation;
  const { mcpServerId, toolAlias: calledAlias } = tool ?? {};
  const { connectionId } = selected ?? {};
  const gated = toGatedCall({ ...request, instance, input, action, space, connectionId, mcpServerId, calledAlias });
  const bound = { ...gated, connectionGeneration: selected?.generation, account: selected?.displayName };
  const asked: AdmitRequest = {
    workspaceId,
    call: bound,
    idempotencyKey: key?.key,
    requestHash: key?.requestHash,
    codeRun,
  };
  const redirects = (rules?: RedirectRules) => redirectCheck(pipeline, { workspaceId, call: gated }, rules);
  const first = await pipeline.policies.admit(asked);
  if (first?.admission?.$case !== 'wantsPreview') return toAdmitted(first, redirects);
  // An input can contain the credential, which approvers must not see. The credential is read only for this redaction, so it is not refreshed.
  const { redact, account, generation } = await open(pipeline, call, connectionId, { asItIs: true });
  const preview = { ...(await pipeline.previewer.preview(call.who.orgId, input, { action, redact })), account };
  const shown = { ...gated, connectionGeneration: generation, account };
  const hash = key?.requestHash ?? requestHash(request, tool);
  const admitted = await pipeline.policies.admit({ ...asked, call: shown, requestHash: hash, preview });
  return toAdmitted(admitted, redirects);
}

function toAdmitted(
  admitted: Admission | undefined,
  redirects: (rules?: RedirectRules) => RequireRedirect | undefined,
): Admitted {
  const { admission } = admitted ?? {};
  const requireRedirect = redirects(admitted?.redirects);
  switch (admission?.$case) {
    case undefined:
    case 'free':
      return { requireRedirect };
    case 'approved':
      return { approval: admission.value, requireRedirect };
    case 'pending':
      return { pending: admission.value };
    case 'wantsPreview':
      throw new Error('approvals requested a preview that it already received');
    default:
      return admission satisfies never;
  }
}

/** The call that policies evaluate: an action, or a request for the options of a form field (a lookup). */
export interface Gated {
  integrationName: string;
  actionName?: string;
  /** Absent if the call only reads data, for example a lookup for a trigger. */
  action?: Pick<Action, 'category' | 'categoryOf' | 'recipients'>;
  /** The configured integration. It is set even if the request names its connection. */
  instance?: Instance;
  connectionId?: string;
  endUserId?: string;
  /** The MCP server of the tool that made the call. */
  mcpServerId?: string;
  /** The alias of that MCP tool. */
  calledAlias?: string;
  /** The stored state that the action uses. Set only when the action runs. */
  space?: StateSpace;
  input: JsonObject;
}

export function toGatedCall({ instance, action, actionName = '', space, ...call }: Gated): GatedCall {
  const { integrationName, connectionId, endUserId, mcpServerId, calledAlias, input } = call;
  return {
    integrationName,
    actionName,
    workspaceIntegrationId: instance?.id,
    integrationAlias: instance?.alias,
    connectionStrategy: instance?.connectionStrategy,
    category: action ? categoryOfCall(action, input) : 'read',
    connectionId,
    endUserId,
    mcpServerId,
    calledAlias,
    input,
    recipients: [...(action?.recipients ?? [])],
    stateOf: space && `${space.scope} ${space.owner}`,
  };
}

/**
 * Evaluates the policies for code of a piece that uses a credential but is not a run, such as the lookup of a form. A policy that blocks the call
 * also blocks the lookup. A policy that requires approval does not, because a lookup changes nothing and the form is needed to describe the call.
 * Returns the check of redirects. Throws FORBIDDEN and UNAVAILABLE.
 */
export async function requireUnblocked(
  pipeline: Pick<Pipeline, 'policies'>,
  asked: JudgeRequest,
): Promise<RequireRedirect | undefined> {
  const { refusal, redirects } = (await pipeline.policies.judge(asked)) ?? {};
  if (refusal) throw new ApiError('FORBIDDEN', refusal.error, { details: refusal.details });
  return redirectCheck(pipeline, asked, redirects);
}

/** Returns the check of redirects. It sends only the host to the approvals service, because the input can be large and was already evaluated. */
function redirectCheck(
  { policies }: Pick<Pipeline, 'policies'>,
  { workspaceId, call }: JudgeRequest,
  rules: RedirectRules | undefined,
): RequireRedirect | undefined {
  if (!rules) return undefined;
  const judged = { workspaceId, call: { ...call!, input: undefined }, rules };
  return (host) => policies.requireRedirect({ ...judged, host });
}

/** Converts the verdict of the policies to the `policy` field of an explanation. Returns undefined if no policy matched. */
export function toExplainedPolicy(verdict: Verdict | undefined) {
  const { policyId: id, decision, reasons } = verdict ?? {};
  return id === undefined ? undefined : { id, decision: decision!, reasons: reasons! };
}
