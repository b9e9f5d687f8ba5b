import { masked, notFound, suspended } from '@drawbridge/contracts';
import { newestFirst, requireQuota, resume, suspend, toWire } from '@drawbridge/database';
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

export const workspaces = (parts: Parts): Implementation<WorkspaceServiceDefinition> => ({
  async listWorkspaces(page) {
    const table = { rows: parts.db.workspace, totals: parts.db.total, name: 'workspaces' };
    const own = workspacesInScope();
    const scope = { orgId: caller().orgId, only: own && { id: { in: own } } };
    const { rows, total } = await newestFirst(table, scope, page);
    return { workspaces: rows.map(toWorkspace), total };
  },

  createWorkspace: async (request) => toWorkspace(await create(parts, request)),

  getWorkspace: async ({ id }) => toWorkspace(await findWorkspace(parts.db, id)),

  async lookUpWorkspace({ id }) {
    const row = await findWorkspace(parts.db, id);
    requireInScope(row.id);
    return toWorkspace(row);
  },

  async updateWorkspace({ id, ...patch }) {
    const data = masked(patch, WorkspaceChangesNullable);
    const where = { id, orgId: caller().orgId, suspendedAt: null };
    return parts.db.$transaction(async (tx) => {
      const [row] = await tx.workspace.updateManyAndReturn({ where, data });
      if (!row) throw suspended('Workspace', id, (await findWorkspace(tx, id)).suspensionReason);
      await parts.outbox.record(tx, changeOf(row));
      return toWorkspace(row);
    });
  },

  suspendWorkspace: ({ id }) => setSuspension(parts, id, async (tx, which) => suspend(tx.workspace, which)),

  resumeWorkspace: ({ id }) =>
    setSuspension(parts, id, (tx, which) =>
      resume(tx, tx.workspace, { which, table: 'workspaces', limit: workspaceLimit(tx, parts.plans) }),
    ),

  async listWorkspaceStates({ orgId, placeIds }) {
    const rows = await parts.db.workspace.findMany({ where: { orgId, id: { in: placeIds } } });
    return { states: rows.map(({ id, suspendedAt }) => ({ id, isSuspended: suspendedAt !== null })) };
  },

  deleteWorkspace: ({ id }) => remove(parts, id),
});

async function create({ db, outbox, plans }: Parts, { name, slug }: CreateWorkspaceRequest): Promise<Row> {
  const { orgId } = caller();
  return db.$transaction(async (tx) => {
    await requireQuota(tx, { orgId, table: 'workspaces', limit: workspaceLimit(tx, plans) });
    const row = await tx.workspace.create({ data: { name, slug, orgId } });
    await outbox.record(tx, changeOf(row));
    return row;
  });
}

async function remove({ db, outbox }: Parts, id: string): Promise<{ deleted: boolean; id: string }> {
  const { orgId } = caller();
  await db.$transaction(async (tx) => {
    const found = await tx.workspace.findFirst({ where: { id, orgId } });
    const { count } = await tx.workspace.deleteMany({ where: { id, orgId } });
    if (!found || count === 0) throw notFound('Workspace', id);
    const payload = { $case: 'workspaceDeleted' as const, value: { workspaceId: id } };
    await outbox.add(tx, payload, orgId);
    await outbox.record(tx, changeOf(found));
  });
  outbox.wake();
  return { deleted: true, id };
}

type ChangeSuspension = (tx: Prisma.TransactionClient, which: { id: string; orgId: string }) => Promise<void>;

async function setSuspension({ db, outbox }: Parts, id: string, change: ChangeSuspension): Promise<Workspace> {
  return db.$transaction(async (tx) => {
    await change(tx, { id, orgId: caller().orgId });
    const row = await findWorkspace(tx, id);
    await outbox.record(tx, changeOf(row));
    return toWorkspace(row);
  });
}

const changeOf = ({ id, name }: Row) => ({ id, name, workspaceId: id });

/** Returns a workspace of the caller's organization, suspended or not. Throws NOT_FOUND. */
async function findWorkspace(db: Pick<Db, 'workspace'>, id: string): Promise<Row> {
  const row = await db.workspace.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('Workspace', id);
  return row;
}

const toWorkspace = (row: Row): Workspace => toWire(row);
