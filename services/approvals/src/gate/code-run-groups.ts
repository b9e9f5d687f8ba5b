import { newId } from '@drawbridge/contracts';
import { type GatedCall, type PredictedCall } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type StoredPolicy } from '../policies/stored-policies.js';
import { type Judgement, type Matched } from './call-policies.js';
import { type RequestedCall } from './insert-request.js';

/**
 * Maximum number of paths that a request shows in a list and covers. An approval only covers paths that its approver could read. The other calls of
 * the group need separate approvals.
 */
export const MAX_PATHS = 200;
/** Maximum number of requests that a run creates before it starts. Calls of further policies create their requests when they are made. */
export const MAX_GROUPS = 50;

/** The calls of a run for which one policy requires an approval. */
export interface Group {
  /** The id of the group's request. */
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

/** Groups the calls by the policy that requires approval, in the order of their first call, and returns the blocked calls. */
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

/** Returns the calls that the request of a group covers: their paths and their connections. */
export function coveredCalls({ calls }: Pick<Group, 'calls'>): { batchTools: string[]; batchConnections: string[] } {
  const covered = calls.slice(0, MAX_PATHS);
  return {
    batchTools: covered.map(({ path }) => path),
    batchConnections: covered.map(({ call }) => connectionKey(call!)),
  };
}

/** Identifies the connection of a call, the generation of its credential and its account. Empty if the call has no connection. */
export function connectionKey({ connectionId, connectionGeneration, account }: GatedCall): string {
  return connectionId === undefined ? '' : JSON.stringify([connectionId, connectionGeneration ?? 0, account ?? '']);
}

/**
 * Returns the call that lists, webhooks and emails show for a group: its only tool, or the program if it has several. The preview lists all tools in
 * both cases.
 */
export function shownCall({ calls }: Pick<Group, 'calls'>): RequestedCall {
  const { call } = calls[0]!;
  const { endUserId, mcpServerId } = call!;
  if (calls.length > 1) return { integrationName: 'code-mode', actionName: 'svc_execute', endUserId, mcpServerId };
  const { calledAlias, integrationAlias, ...only } = call!;
  return { ...only, integrationAlias: calledAlias ?? integrationAlias };
}
