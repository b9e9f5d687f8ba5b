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
const RESETTABLE = ['connectionId', 'displayName', 'enabledActions', 'settings'];

/** A new row with the contract's defaults. */
export function toNewColumns({ integrationName, ...given }: NewWorkspaceIntegration) {
  return {
    ...given,
    integrationName,
    alias: given.alias ?? integrationName,
    connectionStrategy: given.connectionStrategy ?? 'fixed',
    enabledActions: withoutRepeats(given.enabledActions),
    settings: given.settings ?? {},
    sortOrder: given.sortOrder ?? 0,
  };
}

/** What a change comes to. Choosing one of strategy and connection is judged with what the other is already. */
export function toWanted(row: Row, changes: WorkspaceIntegrationChanges, mask: string[]): Wanted {
  const { enabledActions, settings } = changes;
  const chooses = mask.includes('connectionStrategy') || mask.includes('connectionId');
  const connection = {
    connectionStrategy: changes.connectionStrategy ?? row.connectionStrategy,
    connectionId: mask.includes('connectionId') ? changes.connectionId : row.connectionId,
  };
  const { workspaceId, integrationName } = row;
  return { enabledActions, settings, workspaceId, integrationName, connection: chooses ? connection : undefined };
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
    ...(enabledActions !== undefined && { enabledActions: withoutRepeats(enabledActions) ?? Prisma.DbNull }),
    ...(settings !== undefined && { settings: settings ?? {} }),
  };
}

/** With what its connection says of itself. One that is gone is none, also while the event that says so is under way. */
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

/** A list of names is as long as the integration has actions, at most. */
function withoutRepeats<Names extends string[] | null | undefined>(names: Names): Names | string[] {
  return names ? [...new Set(names)] : names;
}
