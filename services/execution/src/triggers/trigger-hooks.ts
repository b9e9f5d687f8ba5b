import { ApiError } from '@drawbridge/contracts';
import { findOperation, type JsonObject, type Piece, type Registration, type TriggerStep } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import {
  type HookCall,
  type HookRegistration,
  type TriggerHookServiceDefinition,
} from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Caller, type Implementation, runAs } from '@drawbridge/rpc';
import { invocationOf, select } from '../pipeline/connection.js';
import { requireUnblocked, toGatedCall } from '../pipeline/gate.js';
import { type Pipeline } from '../pipeline/pipeline.js';
import { runAsked } from '../pipeline/run-opened.js';

/** Implements the RPCs that run the steps of triggers that need a credential, such as subscribing and polling. */
export function triggerHooks(pipeline: Pipeline): Implementation<TriggerHookServiceDefinition> {
  const go = <Result>(call: HookCall | undefined, step: TriggerStep): Promise<WentStep<Result>> =>
    goStep<Result>(pipeline, requireCall(call), step);
  return {
    pickConnection: async ({ call }) => ({ connectionId: await pickConnection(pipeline, requireCall(call)) }),

    enableHook: async ({ call, ...hook }) => toMessage(await go(call, { kind: 'enable', ...hook })),

    async disableHook({ call, stateJson, ...hook }) {
      await go(call, { kind: 'disable', ...hook, state: fromState(stateJson) });
      return {};
    },

    async renewHook({ call, stateJson, ...hook }) {
      return toMessage(await go(call, { kind: 'renew', ...hook, state: fromState(stateJson) }));
    },

    async pollHook({ call, cursorJson, stateJson }) {
      const cursor = cursorJson === undefined ? undefined : JSON.parse(cursorJson);
      const state = stateJson === undefined ? undefined : fromState(stateJson);
      const { connectionId, result } = await go<object>(call, { kind: 'poll', cursor, state });
      return { connectionId, polledJson: JSON.stringify(result) };
    },

    async subscribeHook({ call }) {
      const { connectionId, result } = await go<{ routeKey: string }>(call, { kind: 'subscribe' });
      return { connectionId, routeKey: result.routeKey };
    },
  };
}

function requireCall(call: HookCall | undefined): HookCall {
  if (!call) throw new Error('A request to enable, renew, disable or poll a trigger must contain `call`');
  return call;
}

function fromState(stateJson: string): JsonObject {
  return JSON.parse(stateJson);
}

function toMessage({ connectionId, result }: WentStep<Registration>): HookRegistration {
  const { state, secret, renewAt } = result;
  return { connectionId, stateJson: JSON.stringify(state), secret, renewAt };
}

/** The result of a trigger step, and the connection that the step used. */
interface WentStep<Result> {
  connectionId?: string;
  result: Result;
}

/**
 * Runs a step of a trigger like an action: selects the connection if it is not fixed yet, evaluates the policies and opens the connection. The
 * step `disable` evaluates no policies and does not check the workspace: a subscription must end even if its workspace is suspended or deleted.
 */
function goStep<Result>(pipeline: Pipeline, call: HookCall, step: TriggerStep): Promise<WentStep<Result>> {
  const piece = requireCode(call);
  return inNameOf(call, async () => {
    const { placeId: workspaceId, triggerName, input = {} } = call;
    const isEnding = step.kind === 'disable';
    if (!isEnding) await pipeline.requireWorkspace(workspaceId);
    const connectionId = await findConnection(pipeline, piece, call);
    const judged = { workspaceId, call: toJudged(call, input, connectionId) };
    const requireRedirect = isEnding ? undefined : await requireUnblocked(pipeline, judged);
    const work = { kind: 'trigger', triggerName, step } as const;
    const used = { request: { workspaceId }, piece, connectionId, requireRedirect };
    const asked = { ...used, work, input, failed: 'ACTION_FAILED' } as const;
    return { connectionId, result: (await runAsked(pipeline, asked)) as Result };
  });
}

/** Returns the connection that the first step of a trigger would select. Does not call the provider or evaluate policies. */
function pickConnection(pipeline: Pipeline, call: HookCall): Promise<string | undefined> {
  const piece = requireCode(call);
  return inNameOf(call, async () => {
    await pipeline.requireWorkspace(call.placeId);
    return findConnection(pipeline, piece, call);
  });
}

/** Throws UNAVAILABLE if this process does not contain the trigger, which can happen during a deployment. */
function requireCode({ integrationName, triggerName }: HookCall): Piece {
  const piece = findPiece(integrationName);
  if (piece && findOperation(piece, { triggerName })) return piece;
  throw new ApiError(
    'UNAVAILABLE',
    `${integrationName}.${triggerName} is not available in this process yet. Try again later.`,
  );
}

async function findConnection(pipeline: Pipeline, piece: Piece, call: HookCall): Promise<string | undefined> {
  const { connection, instance, integrationName, placeId: workspaceId, endUserId } = call;
  if (connection?.$case === 'connectionId') return connection.value;
  if (!connection) return undefined;
  const { externalId: connectionExternalId } = connection.value;
  const request = { integrationName, workspaceId, endUserId, connectionExternalId };
  return (await select(pipeline, { request, invocation: invocationOf(piece, instance) }))?.connectionId;
}

function toJudged({ integrationName, instance, endUserId }: HookCall, input: JsonObject, connectionId?: string) {
  return toGatedCall({ integrationName, instance, endUserId, input, connectionId });
}

/**
 * Runs the work on behalf of the user or API key that enabled a trigger, even if the user or key was deleted since. Grants only the permission to use
 * a connection of the workspace. The triggers service has checked that the caller was allowed to enable the trigger.
 */
function inNameOf<T>({ orgId, userId, keyId, placeId }: HookCall, work: () => Promise<T>): Promise<T> {
  const permissions = { scope: 'workspace', workspaceIds: [placeId.toLowerCase()], grants: ['actions.execute'] };
  const caller: Caller = { orgId, userId, keyId, permissions, source: 'trigger' };
  return runAs({ caller }, work);
}
