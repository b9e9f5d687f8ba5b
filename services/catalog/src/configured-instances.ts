import { type Instance, type Persistence } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type PartialHead } from './partials/pick-partials.js';

export const KEPT = { ttlMs: 1_000 };

/** Reads only what a call needs: other settings and the values of partials are large. */
const FIND = `
  SELECT id, integration_name, alias, connection_strategy, connection_id, enabled_actions, settings->'persistence' AS persistence,
    partials
  FROM catalog.workspace_integrations LEFT JOIN (
    SELECT workspace_integration_id, json_agg(json_build_object('id', id, 'name', name, 'actionName', action_name,
      'triggerName', trigger_name, 'isDefault', is_default, 'updatedAt', updated_at) ORDER BY created_at, id) AS partials
    FROM catalog.input_partials WHERE org_id = $1 AND workspace_id = $2 GROUP BY workspace_integration_id
  ) AS heads ON workspace_integration_id = id
  WHERE org_id = $1 AND workspace_id = $2 ORDER BY sort_order, created_at, id`;

/** A workspace and the organization of the caller: a workspace of another organization has no configured integrations here. */
export interface WorkspaceScope {
  orgId: string;
  workspaceId: string;
}

/** The fields of a configured integration that a call needs. */
export interface ConfiguredInstance {
  integrationName: string;
  /** Undefined: all. */
  enabledActions?: string[];
  instance: Instance;
  /** Its input partials, oldest first. */
  partials: readonly PartialHead[];
}

export interface ConfiguredInstances {
  of(scope: WorkspaceScope): Promise<readonly ConfiguredInstance[]>;
  /** Call it after a write in this process; other replicas see the write within a second. */
  forget(scope: WorkspaceScope): void;
}

/** Reads all configured integrations of a workspace at most once a second, because every execution needs them. */
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
  persistence: Persistence | null;
  partials: PartialHead[] | null;
}

async function find(pool: Pool, { orgId, workspaceId }: WorkspaceScope): Promise<ConfiguredInstance[]> {
  const values = [orgId, workspaceId];
  const { rows } = await pool.query<Row>({ name: 'configured-instances', text: FIND, values });
  return rows.map(toConfigured);
}

function toConfigured(row: Row): ConfiguredInstance {
  const { id, alias, connection_strategy: connectionStrategy, persistence } = row;
  const connectionId = row.connection_id ?? undefined;
  return {
    integrationName: row.integration_name,
    enabledActions: row.enabled_actions ?? undefined,
    instance: { id, alias, connectionStrategy, connectionId, persistence: persistence ?? undefined },
    partials: row.partials ?? [],
  };
}
