import { newId } from '@drawbridge/contracts';
import { type GatedCall, type PredictedCall } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type StoredPolicy } from '../policies/stored-policies.js';
import { type Judgement, type Matched } from './call-policies.js';
import { type RequestedCall } from './insert-request.js';

/**
 * Maximum number of tool paths that an approval request lists and covers. An approval only covers paths that its approver could read. All further
 * calls of the group need separate approvals.
 */
export const MAX_PATHS = 200;
/**
 * Maximum number of approval requests that a run creates before it starts. For calls of further policies, the request is created when the program
 * makes the call.
 */
export const MAX_GROUPS = 50;

/** The calls of a run for which one policy requires an approval. */
export interface Group {
  /** The id of the group's approval request. */
  id: string;
  policy: StoredPolicy;
  reasons: string[];
  calls: PredictedCall[];
}

/** A call that a policy blocks, independent of its input. */
export interface Blocked {
  path: string;
  judgement: Matched;
}

/** Groups the predicted calls by the policy that requires approval, in the order of their first call. Also returns the calls that a policy blocks. */
export function groupCalls(
  calls: readonly PredictedCall[],
  judgements: readonly Judgement[],
): { groups: Group[]; blocked: Blocked[] } {
  const byPolicy = new Map<string, Group & { seen: Set<string> }>();
  const blocked: Blocked[] = [];
  calls.forEach((call, at) => {
    const judgement = judgements[at]!;
    if (judgement.decision === 'block') blocked.push({ path: call.path, judgement });
    if (judgement.decision !== 'require_approval') return;
    const { policy, reasons } = judgement;
    const group = byPolicy.get(policy.id) ?? { id: newId(), policy, reasons: [], calls: [], seen: new Set() };
    byPolicy.set(policy.id, group);
    group.calls.push(call);
    for (const reason of reasons) group.seen.add(reason);
  });
  const groups = [...byPolicy.values()].map(({ seen, ...group }) => ({ ...group, reasons: [...seen] }));
  return { groups: groups.slice(0, MAX_GROUPS), blocked: blocked.slice(0, MAX_PATHS) };
}

/** Returns the tool paths that the approval request of a group covers, and the connections of these calls in the same order. */
export function coveredCalls({ calls }: Pick<Group, 'calls'>): { batchTools: string[]; batchConnections: string[] } {
  const covered = calls.slice(0, MAX_PATHS);
  return {
    batchTools: covered.map(({ path }) => path),
    batchConnections: covered.map(({ call }) => connectionKey(call!)),
  };
}

/**
 * Returns a key that changes with the connection of a call, the generation of its credential, and its account. Returns an empty string if the call
 * has no connection.
 */
export function connectionKey({ connectionId, connectionGeneration, account }: GatedCall): string {
  return connectionId === undefined ? '' : JSON.stringify([connectionId, connectionGeneration ?? 0, account ?? '']);
}

/**
 * Returns the call that lists, webhooks and emails display for a group: its only call, or the whole program if the group has several calls. The
 * preview lists all tools in either case.
 */
export function shownCall({ calls }: Pick<Group, 'calls'>): RequestedCall {
  const { call } = calls[0]!;
  const { endUserId, mcpServerId } = call!;
  if (calls.length > 1) return { integrationName: 'code-mode', actionName: 'svc_execute', endUserId, mcpServerId };
  const { calledAlias, integrationAlias, ...only } = call!;
  return { ...only, integrationAlias: calledAlias ?? integrationAlias };
}
