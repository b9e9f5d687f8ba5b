import { masked, notFound, requireCount } from '@drawbridge/contracts';
import { type AuditedChange, type EventPayload } from '@drawbridge/events';
import {
  NewWorkspaceIntegration,
  type WorkspaceIntegration,
  WorkspaceIntegrationChangesNullable,
  type WorkspaceIntegrationServiceDefinition,
} from '@drawbridge/proto/drawbridge/catalog/v1/workspace_integrations';
import { type Connection } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { isStrict, lockInstances, requireNoShares } from './bearer-shares.js';
import { configurationProblems, type RequestedConfiguration } from './configuration-problems.js';
import { type WorkspaceScope } from './configured-instances.js';
import { type Prisma, type WorkspaceIntegration as Row } from './gen/prisma/client.js';
import { type Parts } from './parts.js';
import { requireNoProblems } from './problems.js';
import {
  toColumns,
  toNewColumns,
  toRequestedConfiguration,
  toWorkspaceIntegration,
} from './workspace-integration-rows.js';

/** Maximum number of configured integrations of one workspace, because all of them are read for each list and selection. */
const MAX_INSTANCES = 500;

/** Sorts by `sortOrder`, then oldest first. */
const OLDEST_FIRST: Prisma.WorkspaceIntegrationOrderByWithRelationInput[] = [
  { sortOrder: 'asc' },
  { createdAt: 'asc' },
  { id: 'asc' },
];

export function workspaceIntegrations(parts: Parts): Implementation<WorkspaceIntegrationServiceDefinition> {
  const { db, connections, instances } = parts;
  return {
    async listWorkspaceIntegrations({ workspaceId }) {
      const integrations = await listAll(await requireScope(workspaceId, parts), parts);
      return { integrations, total: integrations.length };
    },

    async createWorkspaceIntegration({ workspaceId, integration }) {
      const scope = await requireScope(workspaceId, parts);
      const data = { ...scope, ...toNewColumns(NewWorkspaceIntegration.create(integration)) };
      const known = await requireValid({ ...data, connection: data }, connections);
      const row = await createWithinLimit(parts, data);
      instances.forget(scope);
      return toWorkspaceIntegration(row, JSON.stringify(row.settings), known);
    },

    async updateWorkspaceIntegration({ workspaceId, id, ...patch }) {
      const changes = masked(patch, WorkspaceIntegrationChangesNullable);
      const scope = await requireScope(workspaceId, parts);
      const where = { id, ...scope };
      const row = await db.workspaceIntegration.findFirst({ where });
      if (!row) throw notFound('Workspace integration', id);
      await requireValid(toRequestedConfiguration(row, changes), connections);
      const updated = await update(parts, where, toColumns(changes)).finally(() => instances.forget(scope));
      const known = await connectionsOf([updated], connections);
      return toWorkspaceIntegration(updated, JSON.stringify(updated.settings), known);
    },

    async deleteWorkspaceIntegration({ workspaceId, id }) {
      const scope = await requireScope(workspaceId, parts);
      await remove(parts, { id, ...scope }).finally(() => instances.forget(scope));
      return { deleted: true, id };
    },
  };
}

/** Checks the workspace without the cache that executions use, because every path under a deleted workspace must return NOT_FOUND immediately. */
async function requireScope(workspaceId: string, { requireWorkspaceNow }: Parts): Promise<WorkspaceScope> {
  await requireWorkspaceNow(workspaceId);
  return { orgId: caller().orgId, workspaceId };
}

async function listAll(where: WorkspaceScope, { db, pool, connections }: Parts): Promise<WorkspaceIntegration[]> {
  const [rows, settings] = await Promise.all([
    db.workspaceIntegration.findMany({ where, orderBy: OLDEST_FIRST, omit: { settings: true } }),
    settingsOf(where, pool),
  ]);
  const known = await connectionsOf(rows, connections);
  return rows.map((row) => toWorkspaceIntegration(row, settings.get(row.id) ?? '{}', known));
}

/** Returns the settings as stored JSON text, by the id of the configured integration. The text is not parsed, because a list returns it unchanged. */
async function settingsOf({ orgId, workspaceId }: WorkspaceScope, pool: Pool): Promise<Map<string, string>> {
  const text = 'SELECT id, settings::text FROM catalog.workspace_integrations WHERE org_id = $1 AND workspace_id = $2';
  const { rows } = await pool.query<{ id: string; settings: string }>(text, [orgId, workspaceId]);
  return new Map(rows.map(({ id, settings }) => [id, settings]));
}

/** Returns the connections that are in use, by id. Contains only connections of the caller's organization. */
export async function connectionsOf(
  users: { connectionId?: string | null }[],
  connections: Parts['connections'],
): Promise<Map<string, Connection>> {
  const ids = [...new Set(users.flatMap(({ connectionId }) => connectionId ?? []))];
  const found = ids.length > 0 ? await connections.batchGetConnections({ ids }) : { connections: [] };
  return new Map(found.connections.map((connection) => [connection.id, connection]));
}

/** Validates a configuration and returns the requested connection, if any. Throws VALIDATION_ERROR. */
async function requireValid(
  wanted: RequestedConfiguration,
  connections: Parts['connections'],
): Promise<Map<string, Connection>> {
  const known = await connectionsOf(wanted.connection ? [wanted.connection] : [], connections);
  requireNoProblems(configurationProblems(wanted, known));
  return known;
}

/** Serializes creation in a workspace from the count to the commit, so that concurrent requests cannot exceed the limit. */
function createWithinLimit(
  { db, guard, outbox }: Parts,
  data: Prisma.WorkspaceIntegrationUncheckedCreateInput,
): Promise<Row> {
  const { orgId, workspaceId } = data;
  return db.$transaction(async (tx) => {
    await guard.requireNotDeleted(tx, workspaceId);
    await lockInstances(tx, workspaceId);
    if (isStrict(data)) await requireNoShares(tx, workspaceId);
    const used = 1 + (await tx.workspaceIntegration.count({ where: { orgId, workspaceId } }));
    requireCount({ field: 'workspaceId', owner: 'a workspace', what: 'integrations', used, most: MAX_INSTANCES });
    const row = await tx.workspaceIntegration.create({ data });
    await outbox.record(tx, changeOf(row));
    return row;
  });
}

type OneOfScope = WorkspaceScope & { id: string };

function update({ db, outbox }: Parts, where: OneOfScope, data: ReturnType<typeof toColumns>): Promise<Row> {
  return db.$transaction(async (tx) => {
    if (data.connectionStrategy === 'per_user') await requireMayBeStrict(tx, where);
    const [row] = await tx.workspaceIntegration.updateManyAndReturn({ where, data });
    if (!row) throw notFound('Workspace integration', where.id);
    if (data.alias !== undefined) await outbox.add(tx, renamed(row), row.orgId);
    await outbox.record(tx, changeOf(row));
    return row;
  });
}

/**
 * Throws MCP_BEARER_BLOCKS_PER_USER if the integration cannot be changed to per_user, because an MCP server of the workspace has a bearer token
 * without an end user.
 */
async function requireMayBeStrict(tx: Prisma.TransactionClient, where: OneOfScope): Promise<void> {
  await lockInstances(tx, where.workspaceId);
  const row = await tx.workspaceIntegration.findFirst({ where, omit: { settings: true } });
  if (row && isStrict({ ...row, connectionStrategy: 'per_user' })) await requireNoShares(tx, where.workspaceId);
}

function remove({ db, outbox }: Parts, where: OneOfScope): Promise<void> {
  return db.$transaction(async (tx) => {
    const row = await tx.workspaceIntegration.findFirst({ where, omit: { settings: true } });
    const { count } = await tx.workspaceIntegration.deleteMany({ where });
    if (!row || count === 0) throw notFound('Workspace integration', where.id);
    const value = { workspaceIntegrationId: row.id };
    await outbox.add(tx, { $case: 'instanceDeleted', value }, row.orgId);
    await outbox.record(tx, changeOf(row));
  });
}

function renamed({ id: workspaceIntegrationId, alias }: Row): EventPayload {
  return { $case: 'instanceRenamed', value: { workspaceIntegrationId, alias } };
}

function changeOf({ id, alias, workspaceId }: Pick<Row, 'id' | 'alias' | 'workspaceId'>): AuditedChange {
  return { id, name: alias, workspaceId };
}
