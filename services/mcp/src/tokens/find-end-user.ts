import { ApiError } from '@drawbridge/contracts';
import { EndUserServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { type Network } from '@drawbridge/rpc';

export interface EndUser {
  endUserId: string;
  endUserRecordId: string;
}

interface Place {
  orgId: string;
  workspaceId: string;
}

/** Returns the end user of a workspace with this externalId or id. Throws END_USER_NOT_FOUND. */
export type FindEndUser = (place: Place, name: string) => Promise<EndUser>;

export function endUsers(network: Network): FindEndUser {
  const connections = network.client('connections', EndUserServiceDefinition);
  return async ({ orgId, workspaceId: placeId }, name) => {
    const { id, externalId } = await connections.getNamedEndUser({ orgId, placeId, name });
    if (id !== undefined && externalId !== undefined) return { endUserId: externalId, endUserRecordId: id };
    throw new ApiError('END_USER_NOT_FOUND', `End user ${name} not found in workspace ${placeId}`);
  };
}
