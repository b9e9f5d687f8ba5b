import { type Instance } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { LRUCache } from 'lru-cache';
import { type Db } from './database.js';
import { type WorkspaceIntegration as Row } from './gen/prisma/client.js';
import { toEnabledActions, toSettings } from './workspace-integration-rows.js';

const REMEMBER_MS = 1_000;

/** A workspace, within the organization that asks: another organization's workspace has no instances for it. */
export interface WorkspaceScope {
  orgId: string;
  workspaceId: string;
}

/** What a call needs to know of an integration that a workspace configured. */
export interface ConfiguredInstance {
  integrationName: string;
  /** Undefined: all. */
  enabledActions?: string[];
  instance: Instance;
}

export interface ConfiguredInstances {
  of(scope: WorkspaceScope): Promise<readonly ConfiguredInstance[]>;
  /** After a write in this process; other replicas see it within a second. */
  forget(scope: WorkspaceScope): void;
}

/** All instances of a workspace, read at most once a second: every execution asks for them. */
export function configuredInstances(db: Db): ConfiguredInstances {
  const known = new LRUCache<string, Promise<ConfiguredInstance[]>>({ max: 10_000, ttl: REMEMBER_MS });

  function read(scope: WorkspaceScope, key: string): Promise<ConfiguredInstance[]> {
    const reading = db.workspaceIntegration.findMany({ where: { ...scope } }).then((rows) => rows.map(toConfigured));
    // Kept from the moment of asking: a write that is committed meanwhile drops it, and no late answer puts it back.
    known.set(key, reading);
    reading.catch(() => known.delete(key));
    return reading;
  }

  return {
    of: async (scope) => known.get(keyOf(scope)) ?? read(scope, keyOf(scope)),
    forget: (scope) => void known.delete(keyOf(scope)),
  };
}

/** Ids are accepted in any case. */
function keyOf({ orgId, workspaceId }: WorkspaceScope): string {
  return `${orgId} ${workspaceId}`.toLowerCase();
}

function toConfigured(row: Row): ConfiguredInstance {
  const { id, alias, connectionStrategy } = row;
  return {
    integrationName: row.integrationName,
    enabledActions: toEnabledActions(row),
    instance: {
      id,
      alias,
      connectionStrategy,
      connectionId: row.connectionId ?? undefined,
      settings: toSettings(row),
    },
  };
}
