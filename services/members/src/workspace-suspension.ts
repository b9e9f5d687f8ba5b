import { type Plans } from '@drawbridge/contracts';
import { resume, suspend } from '@drawbridge/database';
import { type WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { caller, type Implementation } from '@drawbridge/rpc';
import { findWorkspace, toWorkspace } from './find-workspace.js';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { workspaceLimit } from './plan-limits.js';

type Suspension = Pick<Implementation<WorkspaceServiceDefinition>, 'suspendWorkspace' | 'resumeWorkspace'>;

export const workspaceSuspension = (db: Db, plans: Plans): Suspension => ({
  async suspendWorkspace({ id }) {
    await suspend(db.workspace, { id, orgId: caller().orgId });
    return toWorkspace(await findWorkspace(db, id));
  },

  async resumeWorkspace({ id }) {
    const which = { id, orgId: caller().orgId };
    await db.$transaction((tx) =>
      resume(tx, tx.workspace, { which, table: 'workspaces', limit: workspaceLimit(tx, plans) }),
    );
    return toWorkspace(await findWorkspace(db, id));
  },
});
