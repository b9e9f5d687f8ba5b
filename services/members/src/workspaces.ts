import { masked, notFound } from '@drawbridge/contracts';
import { newestFirst, toWire } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import {
  type Workspace,
  WorkspaceChangesNullable,
  type WorkspaceServiceDefinition,
} from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { caller, type Implementation, requireInScope, workspacesInScope } from '@drawbridge/rpc';
import { type PrismaClient as Db, type Workspace as Row } from './gen/prisma/client.js';

export const workspaces = (db: Db, outbox: Outbox): Implementation<WorkspaceServiceDefinition> => ({
  async listWorkspaces(page) {
    const table = { rows: db.workspace, totals: db.total, name: 'workspaces' };
    const own = workspacesInScope();
    const scope = { orgId: caller().orgId, only: own && { id: { in: own } } };
    const { rows, total } = await newestFirst(table, scope, page);
    return { workspaces: rows.map(toWorkspace), total };
  },

  async createWorkspace({ name, slug }) {
    const data = { name, slug, orgId: caller().orgId };
    return toWorkspace(await db.workspace.create({ data }));
  },

  getWorkspace: async ({ id }) => toWorkspace(await find(db, id)),

  async lookUpWorkspace({ id }) {
    const row = await find(db, id);
    requireInScope(row.id);
    return toWorkspace(row);
  },

  async updateWorkspace({ id, ...patch }) {
    const data = masked(patch, WorkspaceChangesNullable);
    const [row] = await db.workspace.updateManyAndReturn({ where: { id, orgId: caller().orgId }, data });
    if (!row) throw notFound('Workspace', id);
    return toWorkspace(row);
  },

  async deleteWorkspace({ id }) {
    const { orgId } = caller();
    await db.$transaction(async (tx) => {
      const { count } = await tx.workspace.deleteMany({ where: { id, orgId } });
      if (count === 0) throw notFound('Workspace', id);
      const payload = { $case: 'workspaceDeleted' as const, value: { workspaceId: id } };
      await outbox.add(tx, payload, orgId);
    });
    outbox.wake();
    return { deleted: true, id };
  },
});

async function find(db: Db, id: string): Promise<Row> {
  const row = await db.workspace.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('Workspace', id);
  return row;
}

const toWorkspace = (row: Row): Workspace => toWire(row);
