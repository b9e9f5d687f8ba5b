import { createHash } from 'node:crypto';
import { ApiError } from '@drawbridge/contracts';
import { type JsonObject, operationProblem, type Piece } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import {
  type CheckedTool,
  type CheckToolRequest,
  type LinkedInstanceServiceDefinition,
} from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { caller, type Implementation } from '@drawbridge/rpc';
import { unusableConnection } from './configuration-problems.js';
import { type ConfiguredInstance, defaultInstance, pickInstance } from './configured-instances.js';
import { type Parts } from './parts.js';
import { pickPartials } from './partials/apply-partials.js';
import { valuesProblems } from './partials/partial-problems.js';
import { type Problems, requireNoProblems } from './problems.js';
import { connectionsOf } from './workspace-integrations.js';

/** Implements the RPCs for MCP servers: lists the configured integrations of their workspaces, and validates tools. */
export const linkedInstances = (parts: Parts): Implementation<LinkedInstanceServiceDefinition> => {
  // The cache returns the same array for one second, so the tag (hash) of an array is computed only once for all requests in that time.
  const tags = new WeakMap<readonly ConfiguredInstance[], string>();
  const tagOf = (instances: readonly ConfiguredInstance[]): string => {
    const tag = tags.get(instances) ?? toTag(instances);
    tags.set(instances, tag);
    return tag;
  };
  return {
    async listLinkedInstances({ orgId, placeId: workspaceId, isTagWantedAlone }) {
      const instances = await parts.instances.of({ orgId, workspaceId });
      return { instances: isTagWantedAlone ? [] : instances.map(toLinked), tag: tagOf(instances) };
    },

    checkTool: (request) => checkTool(parts, request),
  };
};

/** Returns a hash of the fields that determine the tools of an MCP server. The mcp service detects changes with it. */
function toTag(instances: readonly ConfiguredInstance[]): string {
  const facts = instances.map(toLinked).map((one) => [one.id, one.integrationName, one.alias, one.enabledActions]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url');
}

function toLinked({ integrationName, enabledActions, instance }: ConfiguredInstance) {
  const { id, alias, connectionStrategy, connectionId } = instance;
  return { id, integrationName, alias, enabledActions, connectionStrategy, connectionId };
}

/** Validates a tool of an MCP server. Throws VALIDATION_ERROR and ALIAS_CONFLICT. */
async function checkTool({ instances, connections }: Parts, request: CheckToolRequest): Promise<CheckedTool> {
  const { workspaceId, actionName } = request;
  const scope = { orgId: caller().orgId, workspaceId };
  requireNoProblems(await problemsOf(connections, request));
  // The user may have just configured the integration through another process.
  const instance = pickForTool(await instances.current(scope), request);
  if (request.partialIds) pickPartials(instance?.partials ?? [], { actionName }, request.partialIds.map(String));
  return { workspaceIntegrationId: instance?.instance.id, hasOwnAlias: instance?.instance.alias !== request.alias };
}

async function problemsOf(connections: Parts['connections'], request: CheckToolRequest): Promise<Problems> {
  const { integrationName, actionName, connectionId, inputDefaults, workspaceId } = request;
  const piece = findPiece(integrationName);
  if (!piece) return { integrationName: `${integrationName} is not in the catalog` };
  const unknown = operationProblem(piece, { actionName });
  if (unknown) return unknown;
  const known = await connectionsOf(connectionId ? [{ connectionId }] : [], connections);
  const unusable = connectionId && unusableConnection(piece, { workspaceId, connectionId }, known);
  return {
    ...(unusable && { connectionId: unusable }),
    ...inDefaults(piece, actionName, inputDefaults as JsonObject | undefined),
  };
}

/** Returns the problems of `inputDefaults`, the default values of a tool. They follow the same rules as the values of input partials. */
function inDefaults(piece: Piece, actionName: string, defaults: JsonObject | undefined): Problems {
  if (!defaults) return {};
  const problems = valuesProblems([piece.actions[actionName]!.props], defaults);
  return Object.fromEntries(
    Object.entries(problems).map(([path, message]) => [path.replace(/^values/, 'inputDefaults'), message]),
  );
}

export type AskedTarget = Pick<
  CheckToolRequest,
  'integrationName' | 'alias' | 'workspaceIntegrationId' | 'keptIntegrationId' | 'connectionId'
>;

/**
 * Returns the configured integration that a tool of an MCP server is stored with: the requested one, otherwise the one with the alias of the tool,
 * otherwise the current one of the tool, otherwise the default of the piece. If none of these exists although the piece is configured more than once,
 * returns the first one if it does not determine the account. Returns undefined if the piece is not configured. Throws VALIDATION_ERROR, and
 * ALIAS_CONFLICT if the alias is already used.
 */
export function pickForTool(
  configured: readonly ConfiguredInstance[],
  { integrationName, alias, workspaceIntegrationId, keptIntegrationId, connectionId }: AskedTarget,
): ConfiguredInstance | undefined {
  const ofAlias = configured.find(({ instance }) => instance.alias === alias);
  if (ofAlias && ofAlias.integrationName !== integrationName) throw aliasTaken(alias, ofAlias.integrationName);
  if (workspaceIntegrationId !== undefined) {
    const named = pickInstance(configured, { integrationName, workspaceIntegrationId });
    if (ofAlias && ofAlias !== named) throw aliasTaken(alias, `the configured integration ${ofAlias.instance.id}`);
    return named;
  }
  const kept = configured.find(({ instance }) => instance.id === keptIntegrationId);
  const meant = ofAlias ?? kept ?? defaultInstance(configured, integrationName);
  if (meant) return meant;
  const isAccountKnown = connectionId !== undefined || !findPiece(integrationName)?.auth;
  const first = configured.find((one) => one.integrationName === integrationName);
  // Throws if the piece is configured more than once, because a guess could select the account of another user.
  return isAccountKnown ? first : pickInstance(configured, { integrationName });
}

function aliasTaken(alias: string, taker: string): ApiError {
  return new ApiError('ALIAS_CONFLICT', `the alias ${alias} is already used for ${taker} in this workspace`);
}
