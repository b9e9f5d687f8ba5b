import {
  type ActionOutcome,
  type ActionServiceDefinition,
  type ExecuteActionRequest,
} from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { caller, currentContext, type Implementation, withSpan } from '@drawbridge/rpc';
import { findStoredAnswer, type StoredAnswer } from '../claims/claims.js';
import { type CalledTool, type IdempotencyKey, requestHash } from '../claims/idempotency-key.js';
import { claim, type ClaimedRun } from './claim.js';
import { acquireSlot, requireKnownHosts } from './run-code.js';
import { explain } from './explain.js';
import { identify, resolve, type ResolvedCall, selectCurrent } from './resolve.js';
import { openGated } from './gate.js';
import { type ActionCall, type Pipeline } from './pipeline.js';
import { run } from './run-opened.js';
import { type Outcome } from '../run-log/outcome.js';
import { toLogged } from '../run-log/logged-json.js';
import { storeAnswer } from '../run-log/store-answer.js';

/** Implements the RPCs that execute actions. All APIs execute actions through these RPCs. */
export const actions = (pipeline: Pipeline): Implementation<ActionServiceDefinition> => ({
  async executeAction(request) {
    await pipeline.requireWorkspace(request.workspaceId);
    return execute(pipeline, toCall(request));
  },

  async callTool({ call, ...tool }) {
    await pipeline.requireWorkspace(call!.workspaceId);
    return execute(pipeline, toCall(call!, tool));
  },

  explainAction: (request) => explain(pipeline, request),
});

/** Executes an action. A failure before the claim of the idempotency key throws and is not recorded in the run log. */
export async function execute(pipeline: Pipeline, call: ActionCall): Promise<ActionOutcome> {
  const replayed = call.key && (await replay(pipeline, call.key));
  if (replayed) return toActionOutcome(replayed, true);

  const resolved = { ...call, ...(await resolve(pipeline, call)) };
  const slot = await acquireSlot(pipeline, resolved);
  const outcome = await executeResolved(pipeline, { ...resolved, slot }).finally(() => slot?.release());
  return outcome ?? execute(pipeline, call); // Another run claimed the key first, so its result is returned.
}

/** Executes a call after its integration and input were resolved. Returns undefined if another run claimed the idempotency key first. */
async function executeResolved(
  pipeline: Pipeline,
  resolved: ActionCall & ResolvedCall,
): Promise<ActionOutcome | undefined> {
  const { call, selected } = await selectCurrent(pipeline, resolved);
  const { pending, approval, requireRedirect, opened } = await openGated(pipeline, call, selected);
  if (pending) return { outcome: { $case: 'pending', value: pending }, duration: 0, replayed: false, executionId: '' };
  requireKnownHosts({ ...call, hasHostRules: requireRedirect !== undefined });

  const space = await identify(pipeline, call.space);
  const environment = await identify(pipeline, call.environment);
  const claimed = await claim(pipeline, { ...call, ...opened, space, environment, approval, requireRedirect });
  return claimed && pipeline.runs.track(runAndRecord(pipeline, claimed));
}

/**
 * Runs a claimed call and records its outcome in the run log, as an event and under the idempotency key. After the claim, a failure is an outcome and
 * not an exception.
 */
async function runAndRecord(pipeline: Pipeline, claimed: ClaimedRun): Promise<ActionOutcome> {
  return toActionOutcome(await record(pipeline, claimed, await run(pipeline, claimed)), false);
}

/** Combines the request with the current caller. */
export function toCall(request: ExecuteActionRequest, tool?: CalledTool): ActionCall {
  const who = caller();
  const { idempotencyKey: key } = request;
  return {
    request,
    who,
    key: key === undefined ? undefined : { orgId: who.orgId, key, requestHash: requestHash(request, tool) },
    tool,
  };
}

function toActionOutcome({ executionId, outcome }: StoredAnswer, replayed: boolean): ActionOutcome {
  const { outputJson = '{}', failure, duration } = outcome;
  const answer = failure
    ? { $case: 'failure' as const, value: failure }
    : { $case: 'outputJson' as const, value: outputJson };
  return { outcome: answer, duration, replayed, executionId };
}

/** Returns the stored result of an idempotency key. Waits if another run owns the key. Returns undefined if the key is free. */
export async function replay({ claimPoller }: Pipeline, key: IdempotencyKey): Promise<StoredAnswer | undefined> {
  const signal = currentContext()?.signal ?? new AbortController().signal;
  return withSpan('replay', () => findStoredAnswer(claimPoller, key, signal));
}

/**
 * Stores the outcome of a run and returns the result for the caller. If the lease lapsed, returns OUTCOME_UNKNOWN, which waiting requests have
 * already received. Never rejects.
 */
export async function record(pipeline: Pipeline, claimed: ClaimedRun, outcome: Outcome): Promise<StoredAnswer> {
  const ended = { outcome, loggedOutput: outcome.outputJson && toLogged(outcome.outputJson) };
  return withSpan('record', () => storeAnswer(pipeline, claimed, ended));
}
