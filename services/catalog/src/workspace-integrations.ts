import { ApiError, invalid, notFound } from '@drawbridge/contracts';
import { masked, toWire } from '@drawbridge/database';
import {
  NewWorkspaceIntegration,
  type WorkspaceIntegration,
  type WorkspaceIntegrationChanges,
  type WorkspaceIntegrationServiceDefinition,
} from '@drawbridge/proto/drawbridge/catalog/v1/workspace_integrations';
import {
  type Connection,
  type ConnectionServiceDefinition,
} from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { type WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { caller, type Client, type Implementation } from '@drawbridge/rpc';
import { configurationProblems, type Problems, type Wanted } from './configuration-problems.js';
import { type ConfiguredInstances, toEnabledActions, toSettings } from './configured-instances.js';
import { type Db } from './database.js';
import { Prisma, type WorkspaceIntegration as Row } from './gen/prisma/client.js';

/** What null resets; every other key of a PATCH needs a value. */
const RESETTABLE = ['displayName', 'enabledActions', 'settings'];

interface Needs {
  db: Db;
  workspaces: Client<WorkspaceServiceDefinition>;
  connections: Client<ConnectionServiceDefinition>;
  instances: ConfiguredInstances;
}

export function workspaceIntegrations(needs: Needs): Implementation<WorkspaceIntegrationServiceDefinition> {
  const { db, workspaces, connections, instances } = needs;
  // Not remembered, as it is for executions: every path under a deleted workspace is gone at once.
  const requireWorkspace = (id: string) => workspaces.getWorkspace({ id });

  async function connectionsOf(users: { connectionId?: string | null }[]): Promise<Map<string, Connection>> {
    const ids = [...new Set(users.flatMap(({ connectionId }) => connectionId ?? []))];
    const found = ids.length > 0 ? await connections.batchGetConnections({ ids }) : { connections: [] };
    return new Map(found.connections.map((connection) => [connection.id, connection]));
  }

  async function requireValid(wanted: Wanted, problems: Problems = {}): Promise<void> {
    const known = await connectionsOf(wanted.connection ? [wanted.connection] : []);
    const all = { ...problems, ...configurationProblems(wanted, known) };
    if (Object.keys(all).length > 0) throw invalid(all);
  }

  return {
    async listWorkspaceIntegrations({ workspaceId }) {
      await requireWorkspace(workspaceId);
      const rows = await db.workspaceIntegration.findMany({
        where: { orgId: caller().orgId, workspaceId },
        orderBy: [{ sortOrder: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
      });
      const used = await connectionsOf(rows);
      return { integrations: rows.map((row) => toListed(row, used)), total: rows.length };
    },

    async createWorkspaceIntegration({ workspaceId, integration }) {
      const scope = { orgId: caller().orgId, workspaceId };
      await requireWorkspace(workspaceId);
      const data = { ...scope, ...toNewColumns(NewWorkspaceIntegration.create(integration)) };
      await requireValid({ ...data, connection: data });
      const row = await db.workspaceIntegration.create({ data });
      instances.forget(scope);
      await requireWorkspace(workspaceId).catch(async (error: unknown) => {
        // It went meanwhile, and its event may have come before the row did.
        await db.workspaceIntegration.deleteMany({ where: { id: row.id, ...scope } });
        throw error;
      });
      return toWorkspaceIntegration(row);
    },

    async updateWorkspaceIntegration({ workspaceId, id, changes = {}, updateMask }) {
      if (updateMask.length === 0) throw new ApiError('NO_UPDATES', 'Nothing to update: send at least one key');
      const scope = { orgId: caller().orgId, workspaceId };
      const where = { id, ...scope };
      await requireWorkspace(workspaceId);
      const row = await db.workspaceIntegration.findFirst({ where });
      if (!row) throw notFound('Workspace integration', id);
      await requireValid(toWanted(row, changes), nullProblems(changes, updateMask));
      const data = toColumns(changes, updateMask);
      const [updated] = await db.workspaceIntegration.updateManyAndReturn({ where, data });
      instances.forget(scope);
      if (!updated) throw notFound('Workspace integration', id);
      return toWorkspaceIntegration(updated);
    },

    async deleteWorkspaceIntegration({ workspaceId, id }) {
      const scope = { orgId: caller().orgId, workspaceId };
      await requireWorkspace(workspaceId);
      const { count } = await db.workspaceIntegration.deleteMany({ where: { id, ...scope } });
      instances.forget(scope);
      if (count === 0) throw notFound('Workspace integration', id);
      return { deleted: true, id };
    },
  };
}

function toNewColumns({ integrationName, ...given }: NewWorkspaceIntegration) {
  return {
    ...given,
    integrationName,
    alias: given.alias ?? integrationName,
    connectionStrategy: given.connectionStrategy ?? 'fixed',
    settings: given.settings ?? {},
    sortOrder: given.sortOrder ?? 0,
  };
}

/** Choosing one of strategy and connection is judged with what the other is already. */
function toWanted(row: Row, { connectionStrategy, connectionId, ...changes }: WorkspaceIntegrationChanges): Wanted {
  const chooses = connectionStrategy !== undefined || connectionId !== undefined;
  const connection = {
    connectionStrategy: connectionStrategy ?? row.connectionStrategy,
    connectionId: connectionId ?? row.connectionId,
  };
  return {
    ...changes,
    workspaceId: row.workspaceId,
    integrationName: row.integrationName,
    connection: chooses ? connection : undefined,
  };
}

function nullProblems(changes: WorkspaceIntegrationChanges, mask: string[]): Problems {
  const nulls = Object.entries(masked(changes, mask)).filter(
    ([key, value]) => value === null && !RESETTABLE.includes(key),
  );
  return Object.fromEntries(nulls.map(([key]) => [key, 'must not be null']));
}

function toColumns(changes: WorkspaceIntegrationChanges, mask: string[]) {
  const { enabledActions, settings, ...plain } = masked(changes, mask);
  return {
    ...(plain as Partial<Omit<Row, 'enabledActions' | 'settings'>>),
    ...(enabledActions !== undefined && { enabledActions: enabledActions ?? Prisma.DbNull }),
    ...(settings !== undefined && { settings: settings ?? {} }),
  };
}

function toWorkspaceIntegration(row: Row): WorkspaceIntegration {
  return { ...toWire(row), enabledActions: toEnabledActions(row), settings: toSettings(row) };
}

/** A connection that is gone is none, also while the event that says so is under way. */
function toListed(row: Row, used: Map<string, Connection>): WorkspaceIntegration {
  const connection = used.get(row.connectionId ?? '');
  return {
    ...toWorkspaceIntegration(row),
    connectionId: connection?.id,
    connectionStatus: connection?.status,
    connectionDisplayName: connection?.displayName,
    connectionExternalId: connection?.externalId,
  };
}
