import { ApiError } from '@drawbridge/contracts';
import { type SelectConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { type Choice, chooseConnection, eligible } from './choose-connection.js';
import { type FindCandidates, type Place } from './find-candidates.js';

/**
 * The id of the connection that an execution uses; undefined: it runs without one, which only what was not named or
 * configured, and is not required, may. Fails with CONNECTION_NOT_FOUND (400) for an absent externalId, else with
 * CONNECTION_REQUIRED.
 */
export async function selectConnection(
  find: FindCandidates,
  orgId: string,
  request: SelectConnectionRequest,
): Promise<string | undefined> {
  const { integrationName, workspaceId, endUserId, externalId, required } = request;
  const place = { orgId, integrationName, workspaceId, endUserId };
  const configuredId = request.connectionStrategy === 'per_user' ? undefined : request.connectionId;
  const choice = externalId
    ? await chooseNamed(find, place, externalId)
    : await chooseConfigured(find, place, { strategy: request.connectionStrategy, connectionId: configuredId });

  if (choice?.obstacle) throw unusable(integrationName, choice);
  if (choice) return choice.id;
  if (required || configuredId) throw missing(request, configuredId);
  return undefined;
}

async function chooseNamed(find: FindCandidates, place: Place, externalId: string): Promise<Choice> {
  const choice = chooseConnection(await find.named(place, externalId));
  if (choice) return choice;
  const message = `There is no ${place.integrationName} connection ${externalId} in this workspace`;
  throw new ApiError('CONNECTION_NOT_FOUND', message, { status: 400 });
}

async function chooseConfigured(
  find: FindCandidates,
  place: Place,
  { strategy, connectionId }: { strategy?: string; connectionId?: string },
): Promise<Choice | undefined> {
  const endUserId = strategy === 'fixed' ? undefined : place.endUserId;
  if (!strategy || (!endUserId && !connectionId)) return undefined;
  const candidates = await find.configured({ ...place, endUserId }, connectionId);
  return chooseConnection(eligible(candidates, { strategy, connectionId }));
}

function unusable(integrationName: string, { id: connectionId, obstacle: reason }: Choice): ApiError {
  const state = reason === 'suspended' ? 'is suspended' : 'was refused by the provider and must be reconnected';
  const message = `The ${integrationName} connection ${state}`;
  return new ApiError('CONNECTION_REQUIRED', message, { details: { reason, connectionId } });
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
