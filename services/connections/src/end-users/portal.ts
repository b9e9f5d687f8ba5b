import { ApiError, hashToken, notFound } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { findPiece } from '@drawbridge/pieces';
import {
  type PortalServiceDefinition,
  type StartConnectingRequest,
  type StartedConnecting,
} from '@drawbridge/proto/drawbridge/connections/v1/portal';
import { type Implementation } from '@drawbridge/rpc';
import { actFor } from '../connect/store-connection.js';
import { openPersonsSession, type SessionFacts } from '../connect/stored-session.js';
import { deleteConnection } from '../connections.js';
import { type PortalToken } from '../gen/prisma/client.js';
import { type ConnectionRow, type EndUserRow, type Transaction } from '../database.js';
import { type Parts } from '../parts.js';

const SHOWN = 100;

/** Implements the RPCs of the portal, the page on which an end user manages connections. The token of the link is the only identity of a request. */
export const portal = (parts: Parts): Implementation<PortalServiceDefinition> => ({
  async showPortal({ token }) {
    const link = await findLink(parts, token);
    const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
    const rows = await parts.db.connection.findMany({ where: shownBy(link), orderBy, take: SHOWN });
    const connections = rows.map((row) => ({
      connection: toWire(row),
      suspended: row.suspendedAt !== null,
      accountLabel: row.accountLabel ?? undefined,
      lastUsedAt: row.lastUsedAt?.toISOString(),
    }));
    const { id, orgId, workspaceId, externalId: endUserId, displayName, email, integrationName } = link;
    const person = displayName ?? email ?? undefined;
    return { id, orgId, workspaceId, endUserId, person, integrationName: integrationName ?? undefined, connections };
  },

  async disconnect({ token, connectionId: id }) {
    const link = await findLink(parts, token);
    const row = await parts.db.connection.findFirst({ where: { ...shownBy(link), id } });
    if (!row) throw notFound('Connection', id);
    // An end user disconnected the connection, so the audit log entry has no user of the organization.
    const by = { user: { orgId: link.orgId, userId: '' }, reason: `by end user ${link.externalId}` };
    await deleteConnection(parts, row, by);
    return { deleted: true, id };
  },

  startConnecting: (request) => startConnecting(parts, request),
});

async function startConnecting(
  { db, outbox, pool, workspaces }: Parts,
  { token, connectionId: id, integrationName, backTo }: StartConnectingRequest,
): Promise<StartedConnecting> {
  const link = await findLink({ pool, workspaces }, token);
  const { orgId, workspaceId, externalId: endUserId } = link;
  const row = id === undefined ? null : await db.connection.findFirst({ where: { ...shownBy(link), id } });
  if (id !== undefined && !row) throw notFound('Connection', id);
  const wanted = row ? namesOf(row) : namesOfNew(link, integrationName);
  const place = { orgId, workspaceId, endUserId, scope: 'USER', successRedirectUri: backTo, errorRedirectUri: backTo };
  return db.$transaction(async (tx) => {
    await workspaces.requireNotDeleted(tx, workspaceId);
    await requirePerson(tx, link);
    const opened = await openPersonsSession(tx, { ...place, ...wanted });
    const change = { id: opened.session.id, name: wanted.connectionName, workspaceId };
    await outbox.record(tx, { ...change, reason: `by end user ${endUserId}` }, { orgId, userId: '' });
    return { token: opened.token };
  });
}

/** Locks the end user. A connect session that is created while the end user is deleted would store the end user again. Throws INVALID_TOKEN. */
async function requirePerson(tx: Pick<Transaction, '$queryRaw'>, { orgId, endUserId }: Link): Promise<void> {
  const rows = await tx.$queryRaw<object[]>`
    SELECT id FROM connections.end_users WHERE org_id = ${orgId}::uuid AND id = ${endUserId}::uuid FOR NO KEY UPDATE`;
  if (rows.length === 0) throw noLink();
}

type Names = Pick<SessionFacts, 'integrationName' | 'connectionName' | 'externalId'>;

const namesOf = ({ integrationName, displayName: connectionName, externalId }: ConnectionRow): Names => ({
  integrationName,
  connectionName,
  externalId,
});

/**
 * Returns the names of a new connection. Its externalId is the name of the integration, so that connecting the integration a second time reconnects
 * it. Throws NOT_FOUND.
 */
function namesOfNew({ integrationName: only }: Link, integrationName = ''): Names {
  const piece = findPiece(integrationName);
  const isShown = only === null || only === integrationName;
  if (!piece?.auth || !isShown) throw notFound('Integration', integrationName);
  return { integrationName, connectionName: piece.displayName, externalId: integrationName };
}

type Link = Pick<EndUserRow, 'orgId' | 'workspaceId' | 'externalId' | 'displayName' | 'email'> &
  Pick<PortalToken, 'id' | 'endUserId' | 'integrationName'>;

/**
 * Finds the end user of a link by the token, which is the only identity of the request. The LATERAL subquery with LIMIT 1 tells the planner that the
 * result is one row. For a plain join, the planner would expect many links for one token.
 */
const FIND = `
  SELECT u.org_id AS "orgId", u.workspace_id AS "workspaceId", u.id AS "endUserId", u.external_id AS "externalId",
    u.display_name AS "displayName", u.email, link.integration_name AS "integrationName", link.id
  FROM connections.portal_tokens link
  CROSS JOIN LATERAL (SELECT * FROM connections.end_users WHERE id = link.end_user_id LIMIT 1) u
  WHERE link.token_hashes @> ARRAY[$1] AND link.expires_at > now()`;

/**
 * Returns the link of a token. Throws INVALID_TOKEN without repeating the token, and NOT_FOUND or FORBIDDEN if the workspace was deleted or
 * suspended.
 */
async function findLink({ pool, workspaces }: Pick<Parts, 'pool' | 'workspaces'>, token: string): Promise<Link> {
  const { rows } = await pool.query<Link>({ name: 'find-portal-link', text: FIND, values: [hashToken(token)] });
  const [link] = rows;
  if (!link) throw noLink();
  const { orgId, workspaceId } = link;
  await actFor({ orgId, workspaceId, userId: null, keyId: null }, () => workspaces.require(workspaceId));
  return link;
}

const noLink = (): ApiError => new ApiError('INVALID_TOKEN', 'The link is unknown or has expired');

/**
 * Returns a filter for the connections that belong to the end user. An end user must not see or delete connections that are shared in the workspace.
 */
function shownBy({ orgId, endUserId, integrationName }: Link) {
  const only = integrationName === null ? {} : { integrationName };
  return { orgId, endUserRecordId: endUserId, scope: 'USER', ...only };
}
