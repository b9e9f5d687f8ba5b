import { masked, notFound, type Plans } from '@drawbridge/contracts';
import { newestFirst, requireQuota, toWire } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import {
  type CreateWorkspaceRequest,
  type Workspace,
  WorkspaceChangesNullable,
  type WorkspaceServiceDefinition,
} from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { caller, type Implementation, requireInScope, workspacesInScope } from '@drawbridge/rpc';
import { type PrismaClient as Db, type Workspace as Row } from './gen/prisma/client.js';
import { planLimits } from './plan-limits.js';

export const workspaces = (db: Db, outbox: Outbox, plans: Plans): Implementation<WorkspaceServiceDefinition> => ({
  async listWorkspaces(page) {
    const table = { rows: db.workspace, totals: db.total, name: 'workspaces' };
    const own = workspacesInScope();
    const scope = { orgId: caller().orgId, only: own && { id: { in: own } } };
    const { rows, total } = await newestFirst(table, scope, page);
    return { workspaces: rows.map(toWorkspace), total };
  },

  createWorkspace: async (request) => toWorkspace(await create(db, plans, request)),

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

async function create(db: Db, plans: Plans, { name, slug }: CreateWorkspaceRequest): Promise<Row> {
  const { orgId } = caller();
  return db.$transaction(async (tx) => {
    const limit = async () => (await planLimits(tx, plans, orgId)).workspaces;
    await requireQuota(tx.total, { orgId, table: 'workspaces', limit });
    return tx.workspace.create({ data: { name, slug, orgId } });
  });
}

async function find(db: Db, id: string): Promise<Row> {
  const row = await db.workspace.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('Workspace', id);
  return row;
}

const toWorkspace = (row: Row): Workspace => toWire(row);
