import { ApiError } from '@drawbridge/contracts';
import { type SelectConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { type Choice } from './choose-connection.js';
import { type FindCandidates } from './find-candidates.js';
import { pickConnection } from './pick-connection.js';

/**
 * Selects the connection of an execution. Returns undefined if it runs without one, which is allowed only if none was named, configured or required.
 * Throws CONNECTION_NOT_FOUND (400) for an unknown externalId, else CONNECTION_REQUIRED.
 */
export async function selectConnection(
  find: FindCandidates,
  orgId: string,
  request: SelectConnectionRequest,
): Promise<Choice | undefined> {
  const { integrationName, workspaceId, endUserId, externalId, required } = request;
  const place = { orgId, integrationName, workspaceId, endUserId };
  const strategy = request.connectionStrategy;
  const configuredId = strategy === 'per_user' ? undefined : request.connectionId;
  const choice = await pickConnection(find, place, { externalId, strategy, connectionId: configuredId });

  if (choice?.obstacle) throw unusable(integrationName, choice);
  if (choice) return choice;
  if (externalId) throw absent(request, externalId);
  if (required || configuredId) throw missing(request, configuredId);
  return undefined;
}

/** Returns the error for a connection that exists but cannot be used. */
export function unusable(
  integrationName: string,
  { id: connectionId, obstacle: reason }: Pick<Choice, 'id' | 'obstacle'>,
): ApiError {
  const state = reason === 'suspended' ? 'is suspended' : 'was refused by the provider and must be reconnected';
  const message = `The ${integrationName} connection ${state}`;
  return new ApiError('CONNECTION_REQUIRED', message, { details: { reason, connectionId } });
}

function absent({ integrationName, workspaceId }: SelectConnectionRequest, externalId: string): ApiError {
  const place = workspaceId
    ? 'in this workspace'
    : "among the organization's own: those of a workspace need workspaceId";
  const message = `There is no ${integrationName} connection ${externalId} ${place}`;
  return new ApiError('CONNECTION_NOT_FOUND', message, { status: 400 });
}

function missing(
  { integrationName, endUserId, connectionStrategy }: SelectConnectionRequest,
  connectionId: string | undefined,
): ApiError {
  const anonymous = connectionStrategy === 'per_user' && !endUserId;
  const reason = anonymous ? 'no_end_user' : 'not_connected';
  const message = anonymous
    ? `${integrationName} uses each end user's own connection: send endUserId`
    : `There is no ${integrationName} connection for this call`;
  return new ApiError('CONNECTION_REQUIRED', message, { details: { reason, connectionId: connectionId ?? null } });
}
