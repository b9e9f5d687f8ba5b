import { invalid, masked, metadataProblem, notFound } from '@drawbridge/contracts';
import { newestFirst, toWire } from '@drawbridge/database';
import { isEmail } from '@drawbridge/mail';
import { type EndUser } from '@drawbridge/proto/drawbridge/connections/v1/end_user';
import {
  type CreateEndUserRequest,
  EndUserChangesNullable,
  type EndUserServiceDefinition,
  type UpdateEndUserRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { caller, type Implementation } from '@drawbridge/rpc';
import { deleteEndUser } from './delete-end-user.js';
import { changeOf, findEndUser, findNamed, toEndUser } from './find-end-user.js';
import { isPortalLink, portalLinks } from './portal-links.js';
import { type Parts } from '../parts.js';

export const endUserRpcs = (parts: Parts): Implementation<EndUserServiceDefinition> => ({
  async listEndUsers({ workspaceId, ...page }) {
    await parts.workspaces.require(workspaceId);
    const table = { rows: parts.db.endUser, totals: parts.db.total, name: 'end_users' };
    const scope = { orgId: caller().orgId, workspaceId };
    const { rows, total } = await newestFirst(table, scope, { ...page, includeSuspended: true });
    return { endUsers: rows.map(toEndUser), total };
  },

  async getEndUserAddress({ placeId: workspaceId, ...named }) {
    const where = { ...named, workspaceId };
    const known = await parts.db.endUser.findFirst({ where, select: { email: true } });
    return { email: known?.email ?? undefined };
  },

  getNamedEndUser: (request) => findNamed(parts.db, request),

  checkPortalLink: async (request) => ({ works: await isPortalLink(parts.pool, request) }),

  createEndUser: (request) => create(parts, request),

  async getEndUser({ id }) {
    const row = await findEndUser(parts.db, id);
    const where = { orgId: row.orgId, endUserRecordId: id };
    const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
    const connections = await parts.db.connection.findMany({ where, orderBy, take: SHOWN });
    return { endUser: toEndUser(row), connections: connections.map(toWire) };
  },

  updateEndUser: (request) => update(parts, request),

  async deleteEndUser({ id }) {
    const row = await findEndUser(parts.db, id);
    const connectionsDeleted = await deleteEndUser(parts, row);
    return { deleted: true, id, connectionsDeleted };
  },

  ...portalLinks(parts),
});

/**
 * Maximum number of connections in the response. The API contract does not define pages here, so only the newest connections of an end user with
 * thousands of them are returned.
 */
const SHOWN = 2 * PageDefaults.limit;

async function create({ db, workspaces, outbox }: Parts, request: CreateEndUserRequest): Promise<EndUser> {
  const { workspaceId, metadata = {} } = request;
  requireSane(request);
  await workspaces.require(workspaceId);
  return db.$transaction(async (tx) => {
    await workspaces.requireNotDeleted(tx, workspaceId);
    const row = await tx.endUser.create({ data: { ...request, metadata, orgId: caller().orgId } });
    await outbox.record(tx, changeOf(row));
    return toEndUser(row);
  });
}

async function update({ db, workspaces, outbox }: Parts, { id, ...patch }: UpdateEndUserRequest): Promise<EndUser> {
  const { metadata, ...plain } = masked(patch, EndUserChangesNullable, 'VALIDATION_ERROR');
  requireSane({ ...plain, metadata });
  const { orgId, workspaceId } = await findEndUser(db, id);
  await workspaces.require(workspaceId);
  const data = { ...plain, ...(metadata !== undefined && { metadata: metadata ?? {} }) };
  return db.$transaction(async (tx) => {
    // The email address linked the end user to an account, so changing the address removes the link.
    if (plain.email !== undefined)
      await tx.$executeRaw`
        UPDATE connections.end_users SET user_id = NULL, type = 'external'
        WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid AND user_id IS NOT NULL
          AND lower(email) IS DISTINCT FROM lower(${plain.email})`;
    const [row] = await tx.endUser.updateManyAndReturn({ where: { id, orgId }, data });
    if (!row) throw notFound('End user', id);
    await outbox.record(tx, changeOf(row));
    return toEndUser(row);
  });
}

/** Throws VALIDATION_ERROR if the email address or the metadata is invalid. */
function requireSane({ email, metadata }: { email?: string | null; metadata?: object | null }): void {
  const problems = {
    email:
      typeof email === 'string' && !(isEmail(email) && email === email.trim()) ? 'must be an email address' : undefined,
    metadata: metadata ? metadataProblem(metadata) : undefined,
  };
  const found = Object.entries(problems).flatMap(([key, problem]) => (problem ? [[key, problem] as const] : []));
  if (found.length > 0) throw invalid(Object.fromEntries(found));
}
