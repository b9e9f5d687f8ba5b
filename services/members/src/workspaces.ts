import { masked, notFound, type Plans, suspended } from '@drawbridge/contracts';
import { newestFirst, requireQuota, resume, suspend, toWire } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import {
  type CreateWorkspaceRequest,
  type Workspace,
  WorkspaceChangesNullable,
  type WorkspaceServiceDefinition,
} from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { caller, type Implementation, requireInScope, workspacesInScope } from '@drawbridge/rpc';
import { type PrismaClient as Db, type Prisma, type Workspace as Row } from './gen/prisma/client.js';
import { workspaceLimit } from './plans.js';
import { type Parts } from './parts.js';

export const workspaces = ({ db, outbox, plans }: Parts): Implementation<WorkspaceServiceDefinition> => ({
  async listWorkspaces(page) {
    const table = { rows: db.workspace, totals: db.total, name: 'workspaces' };
    const own = workspacesInScope();
    const scope = { orgId: caller().orgId, only: own && { id: { in: own } } };
    const { rows, total } = await newestFirst(table, scope, page);
    return { workspaces: rows.map(toWorkspace), total };
  },

  createWorkspace: async (request) => toWorkspace(await create(db, { outbox, plans }, request)),

  getWorkspace: async ({ id }) => toWorkspace(await findWorkspace(db, id)),

  async lookUpWorkspace({ id }) {
    const row = await findWorkspace(db, id);
    requireInScope(row.id);
    return toWorkspace(row);
  },

  async updateWorkspace({ id, ...patch }) {
    const data = masked(patch, WorkspaceChangesNullable);
    const where = { id, orgId: caller().orgId, suspendedAt: null };
    return db.$transaction(async (tx) => {
      const [row] = await tx.workspace.updateManyAndReturn({ where, data });
      if (!row) throw suspended('Workspace', id, (await findWorkspace(tx, id)).suspensionReason);
      await outbox.record(tx, { id: row.id, name: row.name, workspaceId: row.id });
      return toWorkspace(row);
    });
  },

  ...workspaceSuspension({ db, plans, outbox }),

  async deleteWorkspace({ id }) {
    const { orgId } = caller();
    await db.$transaction(async (tx) => {
      const found = await tx.workspace.findFirst({ where: { id, orgId } });
      const { count } = await tx.workspace.deleteMany({ where: { id, orgId } });
      if (!found || count === 0) throw notFound('Workspace', id);
      const payload = { $case: 'workspaceDeleted' as const, value: { workspaceId: id } };
      await outbox.add(tx, payload, orgId);
      await outbox.record(tx, { id: found.id, name: found.name, workspaceId: found.id });
    });
    outbox.wake();
    return { deleted: true, id };
  },
});

async function create(
  db: Db,
  { outbox, plans }: { outbox: Outbox; plans: Plans },
  { name, slug }: CreateWorkspaceRequest,
): Promise<Row> {
  const { orgId } = caller();
  return db.$transaction(async (tx) => {
    await requireQuota(tx, { orgId, table: 'workspaces', limit: workspaceLimit(tx, plans) });
    const row = await tx.workspace.create({ data: { name, slug, orgId } });
    await outbox.record(tx, { id: row.id, name, workspaceId: row.id });
    return row;
  });
}

type Suspension = Pick<
  Implementation<WorkspaceServiceDefinition>,
  'suspendWorkspace' | 'resumeWorkspace' | 'listWorkspaceStates'
>;

const workspaceSuspension = ({ db, plans, outbox }: { db: Db; plans: Plans; outbox: Outbox }): Suspension => ({
  async suspendWorkspace({ id }) {
    return db.$transaction(async (tx) => {
      await suspend(tx.workspace, { id, orgId: caller().orgId });
      return recorded(tx, outbox, id);
    });
  },

  async resumeWorkspace({ id }) {
    const which = { id, orgId: caller().orgId };
    return db.$transaction(async (tx) => {
      await resume(tx, tx.workspace, { which, table: 'workspaces', limit: workspaceLimit(tx, plans) });
      return recorded(tx, outbox, id);
    });
  },

  async listWorkspaceStates({ orgId, placeIds }) {
    const rows = await db.workspace.findMany({ where: { orgId, id: { in: placeIds } } });
    return { states: rows.map(({ id, suspendedAt }) => ({ id, isSuspended: suspendedAt !== null })) };
  },
});

async function recorded(tx: Prisma.TransactionClient, outbox: Outbox, id: string): Promise<Workspace> {
  const row = await findWorkspace(tx, id);
  await outbox.record(tx, { id: row.id, name: row.name, workspaceId: row.id });
  return toWorkspace(row);
}

/** Returns a workspace of the caller's organization, suspended or not. Throws NOT_FOUND. */
async function findWorkspace(db: Pick<Db, 'workspace'>, id: string): Promise<Row> {
  const row = await db.workspace.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('Workspace', id);
  return row;
}

const toWorkspace = (row: Row): Workspace => toWire(row);
