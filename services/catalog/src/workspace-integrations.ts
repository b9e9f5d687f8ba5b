import { ApiError, notFound } from '@drawbridge/contracts';
import { type EventOf } from '@drawbridge/events';
import {
  NewWorkspaceIntegration,
  type WorkspaceIntegrationServiceDefinition,
} from '@drawbridge/proto/drawbridge/catalog/v1/workspace_integrations';
import {
  type Connection,
  type ConnectionServiceDefinition,
} from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { type WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { caller, type Client, type Implementation } from '@drawbridge/rpc';
import { configurationProblems, type Wanted } from './configuration-problems.js';
import { type ConfiguredInstances, type WorkspaceScope } from './configured-instances.js';
import { type Db } from './database.js';
import { type Prisma, type WorkspaceIntegration as Row } from './gen/prisma/client.js';
import { type Problems, requireNone } from './problems.js';
import {
  nullProblems,
  toColumns,
  toListed,
  toNewColumns,
  toWanted,
  toWorkspaceIntegration,
} from './workspace-integration-rows.js';

/** Within the owner's own order. */
const OLDEST_FIRST: Prisma.WorkspaceIntegrationOrderByWithRelationInput[] = [
  { sortOrder: 'asc' },
  { createdAt: 'asc' },
  { id: 'asc' },
];

interface Needs {
  db: Db;
  workspaces: Client<WorkspaceServiceDefinition>;
  connections: Client<ConnectionServiceDefinition>;
  instances: ConfiguredInstances;
}

export function workspaceIntegrations(needs: Needs): Implementation<WorkspaceIntegrationServiceDefinition> {
  const { db, connections, instances } = needs;
  return {
    async listWorkspaceIntegrations({ workspaceId }) {
      const where = await requireScope(workspaceId, needs);
      const rows = await db.workspaceIntegration.findMany({ where, orderBy: OLDEST_FIRST });
      const known = await connectionsOf(rows, connections);
      return { integrations: rows.map((row) => toListed(row, known)), total: rows.length };
    },

    async createWorkspaceIntegration({ workspaceId, integration }) {
      const scope = await requireScope(workspaceId, needs);
      const data = { ...scope, ...toNewColumns(NewWorkspaceIntegration.create(integration)) };
      await requireValid({ ...data, connection: data }, {}, connections);
      const row = await db.workspaceIntegration.create({ data });
      instances.forget(scope);
      // The workspace may have gone meanwhile, and its event may have come before the row did.
      await requireScope(workspaceId, needs).catch((error: unknown) => undo(row, error, db));
      return toWorkspaceIntegration(row);
    },

    async updateWorkspaceIntegration({ workspaceId, id, changes = {}, updateMask }) {
      if (updateMask.length === 0) throw new ApiError('NO_UPDATES', 'Nothing to update: send at least one key');
      const scope = await requireScope(workspaceId, needs);
      const where = { id, ...scope };
      const row = await db.workspaceIntegration.findFirst({ where });
      if (!row) throw notFound('Workspace integration', id);
      await requireValid(toWanted(row, changes), nullProblems(changes, updateMask), connections);
      const data = toColumns(changes, updateMask);
      const [updated] = await db.workspaceIntegration.updateManyAndReturn({ where, data });
      instances.forget(scope);
      if (!updated) throw notFound('Workspace integration', id);
      return toWorkspaceIntegration(updated);
    },

    async deleteWorkspaceIntegration({ workspaceId, id }) {
      const scope = await requireScope(workspaceId, needs);
      const { count } = await db.workspaceIntegration.deleteMany({ where: { id, ...scope } });
      instances.forget(scope);
      if (count === 0) throw notFound('Workspace integration', id);
      return { deleted: true, id };
    },
  };
}

/** Asked each time, unlike for executions: every path under a deleted workspace is NOT_FOUND at once. */
async function requireScope(workspaceId: string, { workspaces }: Needs): Promise<WorkspaceScope> {
  await workspaces.getWorkspace({ id: workspaceId });
  return { orgId: caller().orgId, workspaceId };
}

async function connectionsOf(
  users: { connectionId?: string | null }[],
  connections: Needs['connections'],
): Promise<Map<string, Connection>> {
  const ids = [...new Set(users.flatMap(({ connectionId }) => connectionId ?? []))];
  const found = ids.length > 0 ? await connections.batchGetConnections({ ids }) : { connections: [] };
  return new Map(found.connections.map((connection) => [connection.id, connection]));
}

async function requireValid(wanted: Wanted, problems: Problems, connections: Needs['connections']): Promise<void> {
  const known = await connectionsOf(wanted.connection ? [wanted.connection] : [], connections);
  requireNone({ ...problems, ...configurationProblems(wanted, known) });
}

async function undo({ id, orgId }: Row, error: unknown, db: Db): Promise<never> {
  await db.workspaceIntegration.deleteMany({ where: { id, orgId } });
  throw error;
}

type Tables = Pick<Db, 'workspaceIntegration'>;

/** A workspace is gone: so is what it configured. */
export async function purgeWorkspaces(events: EventOf<'workspaceDeleted'>[], tx: Tables): Promise<void> {
  for (const { orgId, payload } of events) {
    await tx.workspaceIntegration.deleteMany({ where: { orgId, workspaceId: payload.value.workspaceId } });
  }
}

/** A connection is gone: what used it has none until it is given another. */
export async function forgetConnections(events: EventOf<'connectionDeleted'>[], tx: Tables): Promise<void> {
  for (const { orgId, payload } of events) {
    const where = { orgId, connectionId: payload.value.connectionId };
    await tx.workspaceIntegration.updateMany({ where, data: { connectionId: null } });
  }
}
