import { type Masked } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type EventOf } from '@drawbridge/events';
import {
  type NewWorkspaceIntegration,
  NewWorkspaceIntegrationDefaults,
  type WorkspaceIntegration,
  type WorkspaceIntegrationChanges,
} from '@drawbridge/proto/drawbridge/catalog/v1/workspace_integrations';
import { type Connection } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { type PoolClient } from 'pg';
import { type RequestedConfiguration } from './configuration-problems.js';
import { Prisma, type WorkspaceIntegration as Row } from './gen/prisma/client.js';

/** The changes of a PATCH request. Absent fields do not change, and null resets a field. */
type Changes = Masked<WorkspaceIntegrationChanges>;

/** Returns the columns of a new row, with the defaults of the API contract. */
export function toNewColumns({ integrationName, ...given }: NewWorkspaceIntegration) {
  return {
    ...given,
    integrationName,
    alias: given.alias ?? integrationName,
    connectionStrategy: given.connectionStrategy ?? 'fixed',
    enabledActions: given.enabledActions && [...new Set(given.enabledActions)],
    settings: given.settings ?? {},
    sortOrder: given.sortOrder ?? NewWorkspaceIntegrationDefaults.sortOrder,
  };
}

/**
 * Returns the part of a configuration that a change affects and that must be validated. If the change sets the strategy or the connection, it contains
 * both, because the strategy determines whether a connection is required.
 */
export function toRequestedConfiguration(
  row: Row,
  { connectionStrategy, connectionId, ...changes }: Changes,
): RequestedConfiguration {
  const chooses = connectionStrategy !== undefined || connectionId !== undefined;
  const connection = {
    connectionStrategy: connectionStrategy ?? row.connectionStrategy,
    connectionId: connectionId === undefined ? row.connectionId : connectionId,
  };
  const { workspaceId, integrationName } = row;
  return {
    workspaceId,
    integrationName,
    connection: chooses ? connection : undefined,
    enabledActions: changes.enabledActions ?? undefined,
    settings: changes.settings ?? undefined,
  };
}

export function toColumns({ enabledActions, settings, ...plain }: Changes) {
  return {
    ...plain,
    ...(enabledActions !== undefined && {
      enabledActions: enabledActions ? [...new Set(enabledActions)] : Prisma.DbNull,
    }),
    ...(settings !== undefined && { settings: settings ?? {} }),
  };
}

/** Converts a row, with the state of its connection. A deleted connection is returned as absent, even before the event about its deletion arrives. */
export function toWorkspaceIntegration(
  row: Omit<Row, 'settings'>,
  settingsJson: string,
  known: ReadonlyMap<string, Connection>,
): WorkspaceIntegration {
  const connection = known.get(row.connectionId ?? '');
  return {
    ...toWire(row),
    enabledActions: Array.isArray(row.enabledActions) ? row.enabledActions.map(String) : undefined,
    settingsJson,
    connectionId: connection?.id,
    connectionStatus: connection?.status,
    connectionDisplayName: connection?.displayName,
    connectionExternalId: connection?.externalId,
  };
}

const FORGET = `
  UPDATE catalog.workspace_integrations SET connection_id = NULL, updated_at = now()
  WHERE org_id = $1 AND connection_id = $2`;

/** Removes a deleted connection from configured integrations. They have no connection until another is configured. */
export async function forgetConnections(events: EventOf<'connectionDeleted'>[], tx: PoolClient): Promise<void> {
  for (const { orgId, payload } of events) await tx.query(FORGET, [orgId, payload.value.connectionId]);
}
