import { invalid, suspended } from '@drawbridge/contracts';
import {
  type CreateConnectTokenRequest,
  type CreateReconnectTokenRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/connect_sessions';
import { type Db } from '../database.js';
import { findInScope } from '../find-connection.js';
import { type WorkspaceChecks } from '../workspaces.js';

/**
 * Builds the request for a session that reconnects an existing connection. Throws NOT_FOUND, SCOPE_DENIED, FORBIDDEN for a suspended connection,
 * VALIDATION_ERROR for another workspace than its own, and the errors of `require`.
 */
export async function requireSameAgain(
  { db, workspaces }: { db: Db; workspaces: Pick<WorkspaceChecks, 'require'> },
  { id, ...choices }: CreateReconnectTokenRequest,
): Promise<CreateConnectTokenRequest> {
  const row = await findInScope(db, id);
  if (row.suspendedAt) throw suspended('Connection', id, row.suspensionReason);
  const { integrationName, displayName, externalId, scope, workspaceId: own } = row;
  // A connection of the organization can be reconnected from any workspace. Any other would become a new connection elsewhere.
  if (scope !== 'ORGANIZATION' && choices.workspaceId.toLowerCase() !== own) {
    await workspaces.require(choices.workspaceId); // NOT_FOUND takes precedence
    throw invalid({ workspaceId: 'the connection belongs to another workspace' });
  }
  // A connection that was created directly, without a workspace, may name an end user without a record.
  const endUserId = (row.endUserRecordId && row.endUserId) ?? undefined;
  return { ...choices, integrationName, connectionName: displayName, externalId, scope, endUserId };
}
