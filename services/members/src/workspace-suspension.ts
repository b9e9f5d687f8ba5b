import { type Plans } from '@drawbridge/contracts';
import { resume, suspend } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import { type Workspace, type WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { caller, type Implementation } from '@drawbridge/rpc';
import { findWorkspace, toWorkspace } from './find-workspace.js';
import { type Prisma, type PrismaClient as Db } from './gen/prisma/client.js';
import { workspaceLimit } from './plan-limits.js';

type Suspension = Pick<
  Implementation<WorkspaceServiceDefinition>,
  'suspendWorkspace' | 'resumeWorkspace' | 'listWorkspaceStates'
>;

export const workspaceSuspension = ({ db, plans, outbox }: { db: Db; plans: Plans; outbox: Outbox }): Suspension => ({
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
