import { ApiError, type ConnectionScope } from '@drawbridge/contracts';
import { type ResolveConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { type SelectConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { type Candidate, type FindCandidates, type LookupScope } from './find-candidates.js';

/**
 * Selects the connection of an execution. Returns undefined if the execution runs without a connection, which is allowed only if no connection was
 * requested, configured or required. Throws CONNECTION_NOT_FOUND (400) for an unknown externalId, and CONNECTION_REQUIRED otherwise.
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
    : 'of the organization. For a connection of a workspace, send workspaceId';
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
    ? `${integrationName} uses a separate connection for each end user. Send endUserId.`
    : `There is no ${integrationName} connection that this request can use`;
  return new ApiError('CONNECTION_REQUIRED', message, { details: { reason, connectionId: connectionId ?? null } });
}

/** Returns the selected connection, usable or not. Returns undefined if there is no match, or if the request selects no connection. */
export async function pickConnection(
  find: FindCandidates,
  place: LookupScope,
  { externalId, strategy, connectionId }: ConnectionSelector,
): Promise<Choice | undefined> {
  if (externalId) return chooseConnection(await find.named(place, externalId));
  const endUserId = strategy === 'fixed' ? undefined : place.endUserId;
  if (!strategy || (!endUserId && !connectionId)) return undefined;
  const candidates = await find.configured({ ...place, endUserId }, connectionId);
  return chooseConnection(eligible(candidates, { strategy, connectionId }));
}

/** `obstacle` is the reason why the selected connection cannot be used. */
interface Choice extends Pick<Candidate, 'id' | 'generation' | 'displayName'> {
  obstacle?: 'error' | 'suspended';
}

/** How a configured integration selects its connection. */
interface InstanceStrategy {
  strategy: string;
  connectionId?: string;
}

/** How a request selects its connection: by externalId, or with the strategy of a configured integration. */
export interface ConnectionSelector extends Partial<InstanceStrategy> {
  /** Takes precedence over the strategy. */
  externalId?: string;
}

export const DISTANCE: Record<ConnectionScope, number> = { USER: 0, WORKSPACE: 1, ORGANIZATION: 2 };

/**
 * Chooses the best candidate by owner: first connections of the end user, then of the workspace, then of the organization, each newest first. A
 * usable connection precedes all unusable connections.
 */
export function chooseConnection(candidates: readonly Candidate[]): Choice | undefined {
  const ordered = [...candidates].sort(byDistanceThenAge);
  const best = ordered.find((candidate) => obstacleTo(candidate) === undefined) ?? ordered[0];
  if (!best) return undefined;
  const { id, generation, displayName } = best;
  return { id, generation, displayName, obstacle: obstacleTo(best) };
}

/**
 * Returns the candidates that the strategy of a configured integration allows. With per_user_with_fallback, a connection of the end user takes
 * precedence even if it cannot be used, because silently using the configured account would surprise the owners of both accounts.
 */
export function eligible(candidates: readonly Candidate[], { strategy, connectionId }: InstanceStrategy): Candidate[] {
  const own = candidates.filter(({ scope }) => scope === 'USER');
  const configured = candidates.filter(({ scope, id }) => scope !== 'USER' && id === connectionId);
  switch (strategy) {
    case 'fixed':
      return configured;
    case 'per_user':
      return own;
    case 'per_user_with_fallback':
      return own.length > 0 ? own : configured;
    default:
      throw new Error(`Unknown connection strategy ${strategy}`);
  }
}

function byDistanceThenAge(a: Candidate, b: Candidate): number {
  const later = b.createdAt.getTime() - a.createdAt.getTime();
  return DISTANCE[a.scope] - DISTANCE[b.scope] || later || (a.id < b.id ? 1 : -1);
}

export function obstacleTo({ status, suspendedAt }: Pick<Candidate, 'status' | 'suspendedAt'>): Choice['obstacle'] {
  if (suspendedAt) return 'suspended';
  return status === 'ACTIVE' ? undefined : 'error';
}

/**
 * Returns the id of the connection that a call would use: the connection with the externalId, otherwise the connection of the workspace's configured
 * integration, otherwise the best match. Considers only usable connections. Throws CONNECTION_NOT_FOUND.
 */
export async function resolveConnection(
  find: FindCandidates,
  orgId: string,
  { externalId, connectionStrategy: strategy, connectionId, ...wanted }: ResolveConnectionRequest,
): Promise<string> {
  const place = { ...wanted, orgId };
  const says = externalId !== undefined || strategy !== undefined;
  // Uses no other connection if the configured strategy finds none. The API contract does not define this case.
  const choice = says
    ? await pickConnection(find, place, { externalId, strategy, connectionId })
    : chooseConnection(await find.newestUsable(place));

  if (choice && !choice.obstacle) return choice.id;
  const which = externalId ? ` ${externalId}` : '';
  throw new ApiError('CONNECTION_NOT_FOUND', `No usable ${wanted.integrationName} connection${which} found`);
}
