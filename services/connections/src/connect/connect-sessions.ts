import { ApiError, invalid, notFound } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type Outbox, type RetentionRule } from '@drawbridge/events';
import {
  type ConnectSession,
  type ConnectSessionServiceDefinition,
  type ConnectToken,
  type CreateConnectTokenRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/connect_sessions';
import { caller, type Implementation, requireInScope } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { DEFAULT_SCOPE, placeOf } from '../connection-scope.js';
import { type Db } from '../database.js';
import { type OAuthApps } from '../oauth/find-oauth-app.js';
import { type WorkspaceChecks } from '../workspaces.js';
import { findOwnSession, findSession, isSession } from './find-session.js';
import { offeredTypes } from './offered-types.js';
import { openSession } from './open-session.js';
import { requireSameAgain } from './same-again.js';
import { requireFacts } from './session-facts.js';

interface Needs {
  db: Db;
  pool: Pool;
  outbox: Outbox;
  workspaces: WorkspaceChecks;
  apps: OAuthApps;
}

export const connectSessions = (needs: Needs): Implementation<ConnectSessionServiceDefinition> => ({
  createConnectToken: (request) => createConnectToken(needs, request),

  createReconnectToken: async (request) => createConnectToken(needs, await requireSameAgain(needs, request)),

  getConnectSession: ({ sessionId }) => getConnectSession(needs.pool, sessionId),

  async pollConnectSession({ token }) {
    if (!token) throw new ApiError('MISSING_TOKEN', 'Send the token of the connect session');
    return toWire(await findSession(needs.pool, token));
  },
});

/** Expired sessions can be read for one more day. */
export const OLD_SESSIONS: RetentionRule = {
  table: 'connections.connect_sessions',
  key: 'id',
  oldest: 'expires_at',
  expired: "expires_at < now() - interval '1 day'",
};

async function createConnectToken(
  { db, outbox, workspaces, apps }: Needs,
  request: CreateConnectTokenRequest,
): Promise<ConnectToken> {
  const piece = requireFacts(request);
  const { scope = DEFAULT_SCOPE, workspaceId, integrationName, oauthAppId } = request;
  await workspaces.require(workspaceId);
  requireInScope(placeOf({ scope, workspaceId }));

  const { orgId, userId, keyId } = caller();
  const wanted = { orgId, integrationName, workspaceId, oauthAppId };
  // If OAuth is the first auth type of the integration, there must be an OAuth app for it.
  if (piece.auth?.types[0] === 'OAUTH2' || oauthAppId) await apps.choose(wanted);
  if ((await offeredTypes(piece, apps, wanted)).length === 0) {
    throw invalid({ integrationName: `${integrationName} is connected by none of what a page can offer` });
  }
  const { session, token } = await db.$transaction(async (tx) => {
    await workspaces.requireNotDeleted(tx, workspaceId);
    const opened = await openSession(tx, { ...request, scope, orgId, userId, keyId });
    await outbox.record(tx, { id: opened.session.id, name: request.connectionName, workspaceId });
    return opened;
  });
  return { token, sessionId: session.id, expiresAt: session.expiresAt.toISOString() };
}

async function getConnectSession(pool: Pool, id: string): Promise<ConnectSession> {
  const row = await findOwnSession(pool, caller().orgId, id);
  if (row) {
    requireInScope(row.workspaceId);
    return toWire(row);
  }
  // The contract requires this: only here another organization learns that a resource exists.
  if (await isSession(pool, id)) throw new ApiError('FORBIDDEN', `Connect session ${id} is another organization's`);
  throw notFound('Connect session', id);
}
