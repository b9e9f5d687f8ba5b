import { type JsonObject, operationProblem, type Piece } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type CheckedTool, type CheckToolRequest } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { type ConnectionServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { caller, type Client } from '@drawbridge/rpc';
import { unusableConnection } from './configuration-problems.js';
import { type ConfiguredInstances } from './configured-instances.js';
import { valuesProblems } from './partials/partial-problems.js';
import { pickPartials } from './partials/pick-partials.js';
import { pickForTool } from './pick-for-tool.js';
import { type Problems, requireNoProblems } from './problems.js';

export interface CheckNeeds {
  instances: ConfiguredInstances;
  connections: Pick<Client<ConnectionServiceDefinition>, 'batchGetConnections'>;
}

/** Checks a tool of an MCP server. Throws VALIDATION_ERROR and ALIAS_CONFLICT. */
export async function checkTool(
  { instances, connections }: CheckNeeds,
  request: CheckToolRequest,
): Promise<CheckedTool> {
  const { workspaceId, actionName } = request;
  const scope = { orgId: caller().orgId, workspaceId };
  requireNoProblems(await problemsOf(connections, request));
  // Bypasses the cache: another replica may just have configured the integration.
  instances.forget(scope);
  const instance = pickForTool(await instances.of(scope), request);
  if (request.partialIds) pickPartials(instance?.partials ?? [], { actionName }, request.partialIds.map(String));
  return { workspaceIntegrationId: instance?.instance.id, hasOwnAlias: instance?.instance.alias !== request.alias };
}

async function problemsOf(connections: CheckNeeds['connections'], request: CheckToolRequest): Promise<Problems> {
  const { integrationName, actionName, connectionId, inputDefaults, workspaceId } = request;
  const piece = findPiece(integrationName);
  if (!piece) return { integrationName: `${integrationName} is not in the catalog` };
  const unknown = operationProblem(piece, { actionName });
  if (unknown) return unknown;
  const unusable = connectionId && (await connectionProblem(connections, piece, { workspaceId, connectionId }));
  return {
    ...(unusable && { connectionId: unusable }),
    ...inDefaults(piece, actionName, inputDefaults as JsonObject | undefined),
  };
}

async function connectionProblem(
  connections: CheckNeeds['connections'],
  piece: Piece,
  { workspaceId, connectionId }: { workspaceId: string; connectionId: string },
): Promise<string | undefined> {
  const found = await connections.batchGetConnections({ ids: [connectionId] });
  const known = new Map(found.connections.map((connection) => [connection.id, connection]));
  return unusableConnection(piece, { workspaceId, connectionId }, known);
}

/** Applies the rules of a partial's values, under the name `inputDefaults`. */
function inDefaults(piece: Piece, actionName: string, defaults: JsonObject | undefined): Problems {
  if (!defaults) return {};
  const problems = valuesProblems([piece.actions[actionName]!.props], defaults);
  return Object.fromEntries(
    Object.entries(problems).map(([path, message]) => [path.replace(/^values/, 'inputDefaults'), message]),
  );
}
