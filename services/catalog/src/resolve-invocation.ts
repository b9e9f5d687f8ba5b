import { ApiError, invalid } from '@drawbridge/contracts';
import {
  type Action,
  findOperation,
  inputSchema,
  isEnabled,
  type JsonObject,
  type OperationName,
  operationProblem,
  type Piece,
  type Trigger,
} from '@drawbridge/piece-kit';
import { findPiece, integrationNotFound } from '@drawbridge/pieces';
import {
  type Invocation,
  type ResolveInvocationRequest,
  type ResolveTriggerRequest,
} from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { caller } from '@drawbridge/rpc';
import { configuredIn, type ConfiguredInstance, pickInstance } from './configured-instances.js';
import { type Parts } from './parts.js';
import { type AppliedPartials, mergeInput, within } from './partials/apply-partials.js';
import { type Check, compileCheck, requireNoProblems } from './problems.js';

/**
 * Selects the configured integration and the partials of a call, and validates the input with them. This is the most frequent read of the product, so
 * the configuration and the compiled schemas are cached: most calls cause neither a query nor a compilation.
 */
export async function resolveInvocation(
  { requireWorkspace, instances, partials }: Parts,
  { workspaceId, actionName, triggerName, input = {}, partialIds, isDraft, ...selector }: ResolveInvocationRequest,
): Promise<Invocation> {
  const configured = await configuredIn(instances, workspaceId, requireWorkspace);
  const piece = requirePiece(selector.integrationName);
  const action = triggerName === undefined ? requireAction(piece, actionName) : undefined;
  const picked = pickInstance(configured, selector);
  if (action) requireEnabled(picked, action, actionName);
  const operation = triggerName === undefined ? { actionName } : { triggerName };
  const merged = await mergePartials(partials, { piece, picked, operation, partialIds, input });
  if (action && !isDraft) requireInput(action, merged ?? input);
  return toInvocation(piece, picked, merged);
}

/**
 * Selects the configured integration and the input of a trigger that is being enabled. This is rare, and the result is stored with the trigger, so
 * neither the workspace nor its configuration comes from a cache.
 */
export async function resolveTrigger(
  { requireWorkspaceNow, instances, partials }: Parts,
  { workspaceId, triggerName, input = {}, partialIds, ...selector }: ResolveTriggerRequest,
): Promise<Invocation> {
  const configured = await configuredIn(instances, workspaceId, requireWorkspaceNow, { isFresh: true });
  const piece = requirePiece(selector.integrationName);
  const trigger = requireTrigger(piece, triggerName);
  const picked = pickInstance(configured, selector);
  const asked = { piece, picked, operation: { triggerName }, partialIds, input };
  const merged = (await mergePartials(partials, asked)) ?? input;
  requireInput(trigger, merged);
  return toInvocation(piece, picked, merged);
}

interface AskedInput {
  partialIds?: readonly string[];
  piece: Piece;
  picked: ConfiguredInstance | undefined;
  operation: OperationName;
  input: JsonObject;
}

/** Returns the input merged with the partials, or undefined if no partial applies. */
async function mergePartials(
  partials: AppliedPartials,
  { piece, picked, operation, input, ...asked }: AskedInput,
): Promise<JsonObject | undefined> {
  const applied = await partials({ ...asked, orgId: caller().orgId, heads: picked?.partials ?? [], operation });
  const { props = {} } = findOperation(piece, operation) ?? {};
  const said = applied.map((partial) => within(props, partial));
  return said.length > 0 ? mergeInput(said, input) : undefined;
}

export function requirePiece(name: string): Piece {
  const piece = findPiece(name);
  // The status is 400 and not 404, because the integration is a field of the body and not part of the path.
  if (!piece) throw integrationNotFound(name, 400);
  return piece;
}

export function requireAction(piece: Piece, actionName: string): Action {
  const problem = operationProblem(piece, { actionName });
  if (problem) throw invalid(problem);
  return piece.actions[actionName]!;
}

function requireTrigger({ name, triggers = {} }: Piece, triggerName: string): Trigger {
  const trigger = Object.hasOwn(triggers, triggerName) ? triggers[triggerName] : undefined;
  if (!trigger) throw new ApiError('TRIGGER_NOT_FOUND', `${name} has no trigger ${triggerName}`);
  return trigger;
}

function requireEnabled(picked: ConfiguredInstance | undefined, action: Action, actionName: string): void {
  if (isEnabled(action, actionName, picked?.enabledActions)) return;
  const message = picked
    ? `${actionName} is not enabled for ${picked.instance.alias} in this workspace`
    : `${actionName} must be enabled in enabledActions of a configured integration`;
  throw new ApiError('FORBIDDEN', message);
}

const checks = new Map<Action | Trigger, Check>();

/** Validates the input. Compiles the schema of an action or a trigger once. */
function requireInput(operation: Action | Trigger, input: object): void {
  const check = checks.get(operation) ?? compileCheck(inputSchema(operation.props), 'input');
  checks.set(operation, check);
  requireNoProblems(check(input));
}

/** Builds the response of ResolveInvocation. `merged` is the input if partials changed it, otherwise undefined. */
export function toInvocation({ auth }: Piece, picked: ConfiguredInstance | undefined, merged?: JsonObject): Invocation {
  return {
    instance: picked?.instance,
    input: merged,
    connectionTypes: [...(auth?.types ?? [])],
    connectionRequired: auth?.required ?? false,
  };
}
