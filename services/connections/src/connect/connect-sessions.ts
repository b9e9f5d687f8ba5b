import { ApiError, invalid, notFound, suspended } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { isKeptUrl } from '@drawbridge/egress';
import { type Piece } from '@drawbridge/piece-kit';
import { findPiece, integrationNotFound } from '@drawbridge/pieces';
import {
  type ConnectSession,
  type ConnectSessionServiceDefinition,
  type ConnectToken,
  type CreateConnectTokenRequest,
  type CreateReconnectTokenRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/connect_sessions';
import { caller, type Implementation, requireInScope } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { DEFAULT_SCOPE, placeOf, scopeProblems } from '../connection-scope.js';
import { findInScope } from '../connections.js';
import { isNoApp, type OAuthApps, type WantedApp } from '../oauth/choose-oauth-app.js';
import { findOwnSession, findSession, isSession, openSession } from './stored-session.js';
import { type Parts } from '../parts.js';

export const connectSessions = (needs: Parts): Implementation<ConnectSessionServiceDefinition> => ({
  createConnectToken: (request) => createConnectToken(needs, request),

  createReconnectToken: async (request) => createConnectToken(needs, await requireSameAgain(needs, request)),

  getConnectSession: ({ sessionId }) => getConnectSession(needs.pool, sessionId),

  async pollConnectSession({ token }) {
    if (!token) throw new ApiError('MISSING_TOKEN', 'Send the token of the connect session');
    return toWire(await findSession(needs.pool, token));
  },
});

async function createConnectToken(
  { db, outbox, workspaces, apps }: Parts,
  request: CreateConnectTokenRequest,
): Promise<ConnectToken> {
  const piece = requireFacts(request);
  const { scope = DEFAULT_SCOPE, workspaceId, integrationName, oauthAppId } = request;
  await workspaces.require(workspaceId);
  requireInScope(placeOf({ scope, workspaceId }));

  const { orgId, userId, keyId } = caller();
  const wanted = { orgId, integrationName, workspaceId, oauthAppId };
  // OAuth is the main type of this integration, or the request selects an OAuth app. Throws if no such app exists, because the page could not offer
  // the type.
  if (piece.auth?.types[0] === 'OAUTH2' || oauthAppId) await apps.choose(wanted);
  if ((await offeredTypes(piece, apps, wanted)).length === 0) {
    throw invalid({ integrationName: `${integrationName} supports no connection type that the connect page offers` });
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
  // The API contract requires FORBIDDEN for the session of another organization. All other endpoints return NOT_FOUND, which does not reveal that a
  // resource exists.
  if (await isSession(pool, id))
    throw new ApiError('FORBIDDEN', `Connect session ${id} belongs to another organization`);
  throw notFound('Connect session', id);
}

/**
 * Builds the request for a session that reconnects an existing connection. Throws NOT_FOUND, SCOPE_DENIED, FORBIDDEN for a suspended connection,
 * VALIDATION_ERROR for a different workspace, and the errors of `workspaces.require`.
 */
async function requireSameAgain(
  { db, workspaces }: Parts,
  { id, ...choices }: CreateReconnectTokenRequest,
): Promise<CreateConnectTokenRequest> {
  const row = await findInScope(db, id);
  if (row.suspendedAt) throw suspended('Connection', id, row.suspensionReason);
  const { integrationName, displayName, externalId, scope, workspaceId: own } = row;
  // A connection of the organization can be reconnected from any workspace. For other connections, a different workspace would create a new
  // connection.
  if (scope !== 'ORGANIZATION' && choices.workspaceId.toLowerCase() !== own) {
    await workspaces.require(choices.workspaceId); // Throws NOT_FOUND for an unknown workspace, instead of the error below.
    throw invalid({ workspaceId: 'the connection belongs to another workspace' });
  }
  // A connection that was created through the API without a workspace can have an endUserId without a stored end user.
  const endUserId = (row.endUserRecordId && row.endUserId) ?? undefined;
  return { ...choices, integrationName, connectionName: displayName, externalId, scope, endUserId };
}

/** Validates the request for a session and returns its piece. Throws VALIDATION_ERROR and INTEGRATION_NOT_FOUND. */
function requireFacts(request: CreateConnectTokenRequest): Piece {
  const { successRedirectUri, errorRedirectUri, integrationName } = request;
  const problems = {
    ...scopeProblems(request),
    ...redirectProblems({ successRedirectUri, errorRedirectUri }),
  };
  if (Object.keys(problems).length > 0) throw invalid(problems);

  const piece = findPiece(integrationName);
  if (!piece) throw integrationNotFound(integrationName);
  if (!piece.auth)
    throw invalid({ integrationName: `${integrationName} needs no connection. Configure it without one` });
  return piece;
}

/**
 * Returns a problem for each URI that a browser must not be redirected to. Only http and https are allowed. A scheme such as `javascript:` would be
 * dangerous, because a page of Drawbridge links to the URI.
 */
export function redirectProblems(uris: Record<string, string | undefined>): Record<string, string> {
  const wrong = Object.entries(uris).filter(([, uri]) => uri !== undefined && !isKeptUrl(uri));
  return Object.fromEntries(wrong.map(([key]) => [key, 'must be a whole http or https URL without credentials']));
}

/** Returns the connection types that a user can choose on a page, in the order of the piece. */
export async function offeredTypes(piece: Piece, apps: OAuthApps, wanted: WantedApp): Promise<string[]> {
  const { types = [], oauth2, props } = piece.auth ?? {};
  const hasApp = types.includes('OAUTH2') && oauth2 !== undefined && (await isThere(apps, wanted));
  return types.filter((type) => {
    if (type === 'OAUTH2') return hasApp;
    // The page can display a form only if the piece declares the fields.
    if (type === 'CUSTOM_AUTH') return props !== undefined;
    return type !== 'PLATFORM_OAUTH2';
  });
}

async function isThere(apps: OAuthApps, wanted: WantedApp): Promise<boolean> {
  return apps.choose(wanted).then(
    () => true,
    (error: unknown) => {
      if (isNoApp(error)) return false;
      throw error;
    },
  );
}
