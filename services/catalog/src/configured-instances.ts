import { type Instance } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { LRUCache } from 'lru-cache';
import { type Pool } from 'pg';

/** In all about 32 MB; a workspace with 500 instances weighs 150 kB. */
const KEPT = { ttl: 1_000, maxSize: 32 * 1024 * 1024, sizeCalculation: weightOf };
/** What an instance, and an entry, takes beside its texts, in bytes: ids, keys, the objects themselves. */
const FIXED_BYTES = 200;

/** What a call reads, and nothing else: settings are large and not for it. */
const FIND = `
  SELECT id, integration_name, alias, connection_strategy, connection_id, enabled_actions
  FROM catalog.workspace_integrations WHERE org_id = $1 AND workspace_id = $2`;

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
export function configuredInstances(pool: Pool): ConfiguredInstances {
  const known = new LRUCache<string, readonly ConfiguredInstance[]>(KEPT);
  const reading = new Map<string, Promise<readonly ConfiguredInstance[]>>();

  function read(scope: WorkspaceScope, key: string): Promise<readonly ConfiguredInstance[]> {
    const start = performance.now();
    const found = find(pool, scope);
    // A write that is committed meanwhile drops the question, and no late answer to it is kept.
    const isAwaited = (): boolean => reading.get(key) === found;
    reading.set(key, found);
    found.then(
      (instances) => isAwaited() && reading.delete(key) && known.set(key, instances, { start }),
      () => isAwaited() && reading.delete(key),
    );
    return found;
  }

  return {
    async of(scope) {
      const key = keyOf(scope);
      return known.get(key) ?? reading.get(key) ?? read(scope, key);
    },
    forget(scope) {
      known.delete(keyOf(scope));
      reading.delete(keyOf(scope));
    },
  };
}

/** Ids are accepted in any case. */
function keyOf({ orgId, workspaceId }: WorkspaceScope): string {
  return `${orgId} ${workspaceId}`.toLowerCase();
}

interface Row {
  id: string;
  integration_name: string;
  alias: string;
  connection_strategy: string;
  connection_id: string | null;
  enabled_actions: string[] | null;
}

async function find(pool: Pool, { orgId, workspaceId }: WorkspaceScope): Promise<ConfiguredInstance[]> {
  const values = [orgId, workspaceId];
  const { rows } = await pool.query<Row>({ name: 'configured-instances', text: FIND, values });
  return rows.map(toConfigured);
}

function toConfigured(row: Row): ConfiguredInstance {
  const { id, alias, connection_strategy: connectionStrategy } = row;
  return {
    integrationName: row.integration_name,
    enabledActions: row.enabled_actions ?? undefined,
    instance: { id, alias, connectionStrategy, connectionId: row.connection_id ?? undefined },
  };
}

function weightOf(instances: readonly ConfiguredInstance[], key: string): number {
  return instances.reduce((sum, { enabledActions, instance }) => {
    const actions = (enabledActions ?? []).reduce((bytes, action) => bytes + action.length, 0);
    return sum + FIXED_BYTES + instance.alias.length + actions;
  }, FIXED_BYTES + key.length);
}
