import { invalid, suspended } from '@drawbridge/contracts';
import {
  type CreateConnectTokenRequest,
  type CreateReconnectTokenRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/connect_sessions';
import { type Db } from '../database.js';
import { findInScope } from '../find-connection.js';
import { type WorkspaceChecks } from '../workspaces.js';

/**
 * What a session is asked for that leads to a connection which is there. Throws NOT_FOUND, SCOPE_DENIED, FORBIDDEN for a suspended
 * one, VALIDATION_ERROR for another workspace than its own, and as `require` does.
 */
export async function requireSameAgain(
  { db, workspaces }: { db: Db; workspaces: Pick<WorkspaceChecks, 'require'> },
  { id, ...choices }: CreateReconnectTokenRequest,
): Promise<CreateConnectTokenRequest> {
  const row = await findInScope(db, id);
  if (row.suspendedAt) throw suspended('Connection', id, row.suspensionReason);
  const { integrationName, displayName, externalId, scope, workspaceId: own } = row;
  // One of the organization may be connected anew from wherever; any other would be a new one elsewhere.
  if (scope !== 'ORGANIZATION' && choices.workspaceId.toLowerCase() !== own) {
    await workspaces.require(choices.workspaceId); // that it is not there is told first
    throw invalid({ workspaceId: 'the connection belongs to another workspace' });
  }
  // Made directly without a workspace it may name an end user of whom there is no record.
  const endUserId = (row.endUserRecordId && row.endUserId) ?? undefined;
  return { ...choices, integrationName, connectionName: displayName, externalId, scope, endUserId };
}
