import { type Instance } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';

const KEPT = { ttlMs: 1_000 };

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
  const known = memoize(KEPT, (_key, scope: WorkspaceScope) => find(pool, scope));
  return { of: (scope) => known(keyOf(scope), scope), forget: (scope) => known.forget(keyOf(scope)) };
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
