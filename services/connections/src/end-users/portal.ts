import { ApiError, hashToken, notFound } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import { type PortalServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/portal';
import { type Implementation } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { actFor } from '../connect/act-for.js';
import { type Db } from '../database.js';
import { deleteConnection } from '../delete-connection.js';
import { type WorkspaceChecks } from '../workspaces.js';

interface Parts {
  db: Db;
  pool: Pool;
  workspaces: WorkspaceChecks;
  outbox: Outbox;
  onCommit(): void;
}

const SHOWN = 100;

/** The page of a person, known by its token alone. */
export const portal = ({ db, outbox, onCommit, ...needs }: Parts): Implementation<PortalServiceDefinition> => ({
  async showPortal({ token }) {
    const link = await findLink(needs, token);
    const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
    const rows = await db.connection.findMany({ where: shownBy(link), orderBy, take: SHOWN });
    const connections = rows.map((row) => ({ connection: toWire(row), suspended: row.suspendedAt !== null }));
    const { orgId, displayName, email, integrationName } = link;
    const person = displayName ?? email ?? undefined;
    return { orgId, person, integrationName: integrationName ?? undefined, connections };
  },

  async disconnect({ token, connectionId: id }) {
    const link = await findLink(needs, token);
    const row = await db.connection.findFirst({ where: { ...shownBy(link), id } });
    if (!row) throw notFound('Connection', id);
    // Nobody of the organization did it: there is no user to name.
    const by = { user: { orgId: link.orgId, userId: '' }, reason: `by end user ${link.externalId}` };
    await db.$transaction((tx) => deleteConnection(tx, outbox, row, by));
    onCommit();
    outbox.wake();
    return { deleted: true, id };
  },
});

interface Link {
  orgId: string;
  workspaceId: string;
  endUserId: string;
  externalId: string;
  displayName: string | null;
  email: string | null;
  integrationName: string | null;
}

/** Nobody is known before it: whose the link is, it says. Looked up one by one: a join would be planned for many links of one token. */
const FIND = `
  SELECT u.org_id AS "orgId", u.workspace_id AS "workspaceId", u.id AS "endUserId", u.external_id AS "externalId",
    u.display_name AS "displayName", u.email, link.integration_name AS "integrationName"
  FROM connections.portal_tokens link
  CROSS JOIN LATERAL (SELECT * FROM connections.end_users WHERE id = link.end_user_id LIMIT 1) u
  WHERE link.token_hashes @> ARRAY[$1] AND link.expires_at > now()`;

/** Throws INVALID_TOKEN, without the token, and NOT_FOUND or FORBIDDEN where the workspace is gone or suspended. */
async function findLink({ pool, workspaces }: Pick<Parts, 'pool' | 'workspaces'>, token: string): Promise<Link> {
  const { rows } = await pool.query<Link>({ name: 'find-portal-link', text: FIND, values: [hashToken(token)] });
  const [link] = rows;
  if (!link) throw new ApiError('INVALID_TOKEN', 'The link is unknown or its time is over');
  const { orgId, workspaceId } = link;
  await actFor({ orgId, workspaceId, userId: null, keyId: null }, () => workspaces.require(workspaceId));
  return link;
}

/** A person's own: what they share with others of the workspace is not theirs to end. */
function shownBy({ orgId, endUserId, integrationName }: Link) {
  const only = integrationName === null ? {} : { integrationName };
  return { orgId, endUserRecordId: endUserId, scope: 'USER', ...only };
}
