import { ApiError } from '@drawbridge/contracts';
import { findOperation, type JsonObject, type Piece, type TriggerStep } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type HookCall } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { requireUnblocked, toGatedCall } from '../pipeline/gate.js';
import { type Pipeline } from '../pipeline/pipeline.js';
import { runAsked } from '../pipeline/run-asked.js';
import { invocationOf, select } from '../pipeline/select.js';
import { inNameOf } from './in-name-of.js';

/** What a step answered, and with which connection. */
export interface WentStep<Result> {
  connectionId?: string;
  result: Result;
}

/**
 * Goes a step of a trigger as an action is run: picks its connection, where that was not done before, asks the policies and opens it. What
 * ends a subscription nobody may hold up: neither a policy nor a workspace that is suspended or gone.
 */
export function goStep<Result>(pipeline: Pipeline, call: HookCall, step: TriggerStep): Promise<WentStep<Result>> {
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

/** The connection that its first step would pick; nobody is asked. */
export function pickConnection(pipeline: Pipeline, call: HookCall): Promise<string | undefined> {
  const piece = requireCode(call);
  return inNameOf(call, async () => {
    await pipeline.requireWorkspace(call.placeId);
    return findConnection(pipeline, piece, call);
  });
}

/** Throws UNAVAILABLE for what triggers has and this process has not, as while one of them is older. */
function requireCode({ integrationName, triggerName }: HookCall): Piece {
  const piece = findPiece(integrationName);
  if (piece && findOperation(piece, { triggerName })) return piece;
  throw new ApiError('UNAVAILABLE', `${integrationName}.${triggerName} can not be run here yet`);
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
