import { invalid, newId } from '@drawbridge/contracts';
import { requireQuota } from '@drawbridge/database';
import { findPiece } from '@drawbridge/pieces';
import { type CreateConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/credentials';
import { caller, requireInScope } from '@drawbridge/rpc';
import { DEFAULT_SCOPE, ownerOf, placeOf, scopeProblems } from './connection-scope.js';
import { accountValueProblems, credentialProblems, toStoredCredential } from './credentials.js';
import { type ConnectionRow } from './database.js';
import { isNoApp, type OAuthApp, type OAuthApps } from './oauth/choose-oauth-app.js';
import { setLifetime } from './refresh/statements.js';
import { type Parts } from './parts.js';

/**
 * Stores a connection with its encrypted credential in one transaction, and the end user if needed. Throws VALIDATION_ERROR, NOT_FOUND (workspace),
 * SCOPE_DENIED (a connection of the organization, if the caller's scope is limited to workspaces), QUOTA_EXCEEDED and DUPLICATE.
 */
export async function createConnection(
  { db, envelope, workspaces, outbox, findLimit, apps }: Parts,
  request: CreateConnectionRequest,
): Promise<ConnectionRow> {
  requireShape(request);
  requireAccepted(request);

  const { orgId } = caller();
  const { type, externalId, displayName, integrationName, workspaceId, endUserId, scope = DEFAULT_SCOPE } = request;
  const id = newId();
  const credential = envelope.seal(toStoredCredential(request), { orgId, kind: 'connection', id });
  const facts = { id, orgId, type, externalId, displayName, integrationName, scope, workspaceId, endUserId };
  const [limitIn, app] = await Promise.all([
    findLimit(orgId),
    appFor(apps, request),
    workspaceId && workspaces.require(workspaceId),
  ]);
  requireInScope(placeOf({ scope, workspaceId }));
  return db.$transaction(async (tx) => {
    if (workspaceId) await workspaces.requireNotDeleted(tx, workspaceId);
    await requireQuota(tx, { orgId, table: 'connections', limit: () => limitIn(tx) });
    const owner = await ownerOf(tx, { orgId, scope, workspaceId, endUserId });
    await outbox.record(tx, { id, name: displayName, workspaceId });
    const oauthAppId = app?.id;
    const row = await tx.connection.create({ data: { ...facts, ...credential, ...owner, oauthAppId } });
    const isRenewable = app !== undefined && request.refreshToken !== undefined;
    await setLifetime(tx, { id, orgId }, { expiresIn: request.expiresIn, isRenewable });
    return row;
  });
}

function requireShape(request: CreateConnectionRequest): void {
  const problems = { ...credentialProblems(request), ...scopeProblems(request) };
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

function requireAccepted(request: CreateConnectionRequest): void {
  const { type, integrationName } = request;
  const piece = findPiece(integrationName);
  if (!piece) throw invalid({ integrationName: `the integration ${integrationName} does not exist` });
  const accepted: readonly string[] = piece.auth?.types ?? [];
  // Pieces declare only OAUTH2. A token that was issued to the operator's OAuth app (PLATFORM_OAUTH2) is used in the same way.
  if (!accepted.includes(type === 'PLATFORM_OAUTH2' ? 'OAUTH2' : type)) {
    const instead = accepted.length > 0 ? `accepts ${accepted.join(', ')}` : 'uses no connection';
    throw invalid({ type: `${integrationName} ${instead}` });
  }
  const problems = accountValueProblems(piece, request);
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

/**
 * Returns the OAuth app that refreshes the tokens: the requested app, otherwise the default. Returns undefined if no app exists. The tokens are then
 * used until they expire. Throws VALIDATION_ERROR if the requested app does not exist.
 */
async function appFor(apps: OAuthApps, request: CreateConnectionRequest): Promise<OAuthApp | undefined> {
  const { accessToken, integrationName, workspaceId, oauthAppId } = request;
  if (oauthAppId === undefined && (accessToken === undefined || !findPiece(integrationName)?.auth?.oauth2))
    return undefined;
  return apps.choose({ orgId: caller().orgId, integrationName, workspaceId, oauthAppId }).catch((error: unknown) => {
    if (!isNoApp(error)) throw error;
    if (oauthAppId === undefined) return undefined;
    throw invalid({ oauthAppId: `the OAuth app ${oauthAppId} does not exist` });
  });
}
