import { masked, toWire } from '@drawbridge/database';
import {
  type NewWorkspaceIntegration,
  type WorkspaceIntegration,
  type WorkspaceIntegrationChanges,
} from '@drawbridge/proto/drawbridge/catalog/v1/workspace_integrations';
import { type Connection } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { type Wanted } from './configuration-problems.js';
import { Prisma, type WorkspaceIntegration as Row } from './gen/prisma/client.js';
import { type Problems } from './problems.js';

/** What null resets; every other key of a PATCH needs a value. */
const RESETTABLE = ['displayName', 'enabledActions', 'settings'];

/** A new row with the contract's defaults. */
export function toNewColumns({ integrationName, ...given }: NewWorkspaceIntegration) {
  return {
    ...given,
    integrationName,
    alias: given.alias ?? integrationName,
    connectionStrategy: given.connectionStrategy ?? 'fixed',
    settings: given.settings ?? {},
    sortOrder: given.sortOrder ?? 0,
  };
}

/** What a change comes to. Choosing one of strategy and connection is judged with what the other is already. */
export function toWanted(
  row: Row,
  { connectionStrategy, connectionId, ...changes }: WorkspaceIntegrationChanges,
): Wanted {
  const chooses = connectionStrategy !== undefined || connectionId !== undefined;
  const connection = {
    connectionStrategy: connectionStrategy ?? row.connectionStrategy,
    connectionId: connectionId ?? row.connectionId,
  };
  const { workspaceId, integrationName } = row;
  return { ...changes, workspaceId, integrationName, connection: chooses ? connection : undefined };
}

/** The keys of a PATCH that are null and may not be. */
export function nullProblems(changes: WorkspaceIntegrationChanges, mask: string[]): Problems {
  const entries = Object.entries(masked(changes, mask));
  const wrong = entries.filter(([key, value]) => value === null && !RESETTABLE.includes(key));
  return Object.fromEntries(wrong.map(([key]) => [key, 'must not be null']));
}

export function toColumns(changes: WorkspaceIntegrationChanges, mask: string[]) {
  const { enabledActions, settings, ...plain } = masked(changes, mask);
  return {
    ...(plain as Partial<Omit<Row, 'enabledActions' | 'settings'>>), // nullProblems has refused the nulls
    ...(enabledActions !== undefined && { enabledActions: enabledActions ?? Prisma.DbNull }),
    ...(settings !== undefined && { settings: settings ?? {} }),
  };
}

export function toWorkspaceIntegration(row: Row): WorkspaceIntegration {
  return { ...toWire(row), enabledActions: toEnabledActions(row), settings: toSettings(row) };
}

/** With what its connection says of itself. One that is gone is none, also while the event that says so is under way. */
export function toListed(row: Row, known: ReadonlyMap<string, Connection>): WorkspaceIntegration {
  const connection = known.get(row.connectionId ?? '');
  return {
    ...toWorkspaceIntegration(row),
    connectionId: connection?.id,
    connectionStatus: connection?.status,
    connectionDisplayName: connection?.displayName,
    connectionExternalId: connection?.externalId,
  };
}

/** Undefined: all actions. */
export function toEnabledActions({ enabledActions }: Row): string[] | undefined {
  return Array.isArray(enabledActions) ? enabledActions.map(String) : undefined;
}

export function toSettings({ settings }: Row): Record<string, unknown> {
  return typeof settings === 'object' && !Array.isArray(settings) ? { ...settings } : {};
}
