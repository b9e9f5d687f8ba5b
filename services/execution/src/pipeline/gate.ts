import { ApiError } from '@drawbridge/contracts';
import { type Action, type JsonObject } from '@drawbridge/piece-kit';
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
import { requestHash } from '../claims/request-hash.js';
import { type StateSpace } from '../state/state-space.js';
import { open } from './open.js';
import { type ActionCall, type Pipeline } from './pipeline.js';
import { type ResolvedCall } from './resolve.js';
import { type SelectedConnection } from './select.js';

export type RequireRedirect = (host: string) => Promise<void>;

/** That a call may run, perhaps under an approval, or that it must wait for one. */
export interface Admitted {
  approval?: Approved;
  /** Throws EgressError for a host to which no redirect may be followed. Absent: no policy is about hosts. */
  requireRedirect?: RequireRedirect;
  pending?: Approval;
}

type Needs = Pick<Pipeline, 'policies' | 'vault' | 'redactorFor' | 'previewer'>;

/**
 * Holds a call to the policies, with the input that would be sent, before anything is opened, claimed or sent for it. Fails as the approvals
 * service does: with FORBIDDEN where a policy blocks it, and with UNAVAILABLE where nobody can say.
 */
export async function gate(
  pipeline: Needs,
  call: ActionCall & ResolvedCall,
  selected: SelectedConnection | undefined,
): Promise<Admitted> {
  const { request, key, invocation, input, action, space, tool } = call;
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
  };
  const redirects = (rules?: RedirectRules) => redirectCheck(pipeline, { workspaceId, call: gated }, rules);
  const first = await pipeline.policies.admit(asked);
  if (first?.admission?.$case !== 'wantsPreview') return toAdmitted(first, redirects);
  // Whoever decides must not read a credential that stands in the input: it is looked at for that, and refreshed for nothing.
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
      throw new Error('approvals asks for the preview that it has');
    default:
      return admission satisfies never;
  }
}

/** What is asked about: a call, or what a form asks of the third party before there is one. */
export interface Gated {
  integrationName: string;
  actionName?: string;
  /** Absent: it only reads, as what is asked for a trigger does. */
  action?: Pick<Action, 'category' | 'recipients'>;
  /** As it was configured. What names its connection itself is still a call of the instance. */
  instance?: Instance;
  connectionId?: string;
  endUserId?: string;
  /** By whose tool it came. */
  mcpServerId?: string;
  /** That tool's own alias. */
  calledAlias?: string;
  /** Of an action with state, when it runs. */
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
    category: action?.category ?? 'read',
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
 * For what runs a piece's code with a credential and is no run. A policy that blocks the call also blocks what its form asks the third party;
 * one that wants an approval does not, for nothing happens yet of what a person would be asked about, and without the form nobody could
 * say what. Returns how its redirects are checked. Throws FORBIDDEN and UNAVAILABLE.
 */
export async function requireUnblocked(
  pipeline: Pick<Pipeline, 'policies'>,
  asked: JudgeRequest,
): Promise<RequireRedirect | undefined> {
  const { refusal, redirects } = (await pipeline.policies.judge(asked)) ?? {};
  if (refusal) throw new ApiError('FORBIDDEN', refusal.error, { details: refusal.details });
  return redirectCheck(pipeline, asked, redirects);
}

/** The policies are asked about the host alone: an input can be large, and was evaluated before. */
function redirectCheck(
  { policies }: Pick<Pipeline, 'policies'>,
  { workspaceId, call }: JudgeRequest,
  rules: RedirectRules | undefined,
): RequireRedirect | undefined {
  if (!rules) return undefined;
  const judged = { workspaceId, call: { ...call!, input: undefined }, rules };
  return (host) => policies.requireRedirect({ ...judged, host });
}

/** What an explanation says of it. */
export function toExplainedPolicy(verdict: Verdict | undefined) {
  const { policyId: id, decision, reasons } = verdict ?? {};
  return id === undefined ? undefined : { id, decision: decision!, reasons: reasons! };
}
