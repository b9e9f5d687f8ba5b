import { ApiError, notFound } from '@drawbridge/contracts';
import { masked, newestFirst, toWire, totalOf } from '@drawbridge/database';
import { newEvent } from '@drawbridge/events';
import { type Workspace, type WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { caller, type Implementation, traceparent } from '@drawbridge/rpc';
import { type Db } from './database.js';
import { type Workspace as Row } from './gen/prisma/client.js';

export const workspaces = (db: Db, onCommit: () => void): Implementation<WorkspaceServiceDefinition> => ({
  async listWorkspaces({ includeSuspended = false, ...page }) {
    const { orgId } = caller();
    const where = { orgId, ...(includeSuspended ? {} : { suspendedAt: null }) };
    const [rows, total] = await Promise.all([
      newestFirst(db.workspace, where, page),
      db.total.findUnique({ where: { orgId_of: { orgId, of: 'workspaces' } } }),
    ]);
    return { workspaces: rows.map(toWorkspace), total: totalOf(total, { includeSuspended }) };
  },

  async createWorkspace({ name, slug }) {
    const data = { name, slug, orgId: caller().orgId };
    return toWorkspace(await db.workspace.create({ data }));
  },

  async getWorkspace({ id }) {
    const row = await db.workspace.findFirst({ where: { id, orgId: caller().orgId } });
    if (!row) throw notFound('Workspace', id);
    return toWorkspace(row);
  },

  async updateWorkspace({ id, changes, updateMask }) {
    if (updateMask.length === 0) throw new ApiError('NO_UPDATES', 'Nothing to update: send name or slug');
    const where = { id, orgId: caller().orgId };
    const data = masked(changes ?? {}, updateMask);
    const [row] = await db.workspace.updateManyAndReturn({ where, data: data as Partial<Row> });
    if (!row) throw notFound('Workspace', id);
    return toWorkspace(row);
  },

  async deleteWorkspace({ id }) {
    const { orgId } = caller();
    await db.$transaction(async (tx) => {
      const { count } = await tx.workspace.deleteMany({ where: { id, orgId } });
      if (count === 0) throw notFound('Workspace', id);
      const payload = { $case: 'workspaceDeleted' as const, value: { workspaceId: id } };
      await tx.outbox.create({ data: newEvent(payload, { orgId, traceparent: traceparent() }) });
    });
    onCommit();
    return { deleted: true, id };
  },
});

const toWorkspace = (row: Row): Workspace => toWire(row);
