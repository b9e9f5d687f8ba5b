import { invalid } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type Instance } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { caller, memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type PartialHead } from './partials/apply-partials.js';

export const KEPT = { ttlMs: 1_000 };

/** Reads only the columns that a call needs, because the other settings and the values of input partials can be large. */
const FIND = `
  SELECT id, integration_name AS "integrationName", alias, connection_strategy AS "connectionStrategy", connection_id AS "connectionId",
    enabled_actions AS "enabledActions", settings->'persistence' AS persistence,
    coalesce((settings->'code'->'fetch')::text = 'true', false) AS "codeFetch",
    CASE WHEN integration_name = 'advanced-code' THEN settings->'advancedCode' END AS "advancedCode", partials
  FROM catalog.workspace_integrations LEFT JOIN (
    SELECT workspace_integration_id, json_agg(json_build_object('id', id, 'name', name, 'actionName', action_name,
      'triggerName', trigger_name, 'isDefault', is_default, 'updatedAt', updated_at) ORDER BY created_at, id) AS partials
    FROM catalog.input_partials WHERE org_id = $1 AND workspace_id = $2 GROUP BY workspace_integration_id
  ) AS heads ON workspace_integration_id = id
  WHERE org_id = $1 AND workspace_id = $2 ORDER BY sort_order, created_at, id`;

/** Every insert, update and deletion changes the version, because xmin is the transaction that wrote a row. */
const VERSION = `
  SELECT md5(concat_ws('/',
    (SELECT string_agg(id || ' ' || xmin, ',' ORDER BY id) FROM catalog.workspace_integrations WHERE org_id = $1 AND workspace_id = $2),
    (SELECT string_agg(id || ' ' || xmin, ',' ORDER BY id) FROM catalog.input_partials WHERE org_id = $1 AND workspace_id = $2))) AS version`;

/** A workspace and its organization. Queries filter by both ids, so they return nothing for a workspace of another organization. */
export interface WorkspaceScope {
  orgId: string;
  workspaceId: string;
}

/** The fields of a configured integration that a call needs. */
export interface ConfiguredInstance {
  integrationName: string;
  /** Undefined if all actions are enabled. */
  enabledActions?: string[];
  instance: Instance;
  /** The input partials of the configured integration, oldest first. */
  partials: readonly PartialHead[];
}

export interface ConfiguredInstances {
  of(scope: WorkspaceScope): Promise<readonly ConfiguredInstance[]>;
  /** Returns a list that contains every committed change. If the cached list does, reads only its version. */
  current(scope: WorkspaceScope): Promise<readonly ConfiguredInstance[]>;
  /** Returns the version of a list that this object returned. It changes with each change of the configured integrations and their partials. */
  versionOf(configured: readonly ConfiguredInstance[]): string;
  /** Removes a workspace from the cache. Must be called after a write in this process. Other processes read the write within a second. */
  forget(scope: WorkspaceScope): void;
}

/** Reads all configured integrations of a workspace at most once a second, because every execution needs them. */
export function configuredInstances(pool: Pool): ConfiguredInstances {
  const versions = new WeakMap<readonly ConfiguredInstance[], string>();
  const known = memoize(KEPT, async (_key, scope: WorkspaceScope) => {
    // A change between the two queries gives the list an old version, so that `current` reads it again.
    const version = await findVersion(pool, scope);
    const configured = await find(pool, scope);
    versions.set(configured, version);
    return configured;
  });
  const of = (scope: WorkspaceScope) => known(keyOf(scope), scope);
  const forget = (scope: WorkspaceScope) => known.forget(keyOf(scope));
  const versionOf = (configured: readonly ConfiguredInstance[]) => versions.get(configured)!;
  const current = async (scope: WorkspaceScope) => {
    const configured = await of(scope);
    if (versionOf(configured) === (await findVersion(pool, scope))) return configured;
    forget(scope);
    return of(scope);
  };
  return { of, current, versionOf, forget };
}

/** Returns the configured integrations of the caller's workspace. Throws the same errors as `requireWorkspace`. */
export async function configuredIn(
  instances: ConfiguredInstances,
  workspaceId: string,
  requireWorkspace: (workspaceId: string) => Promise<unknown>,
  { isFresh = false } = {},
): Promise<readonly ConfiguredInstance[]> {
  const scope = { orgId: caller().orgId, workspaceId };
  const asked = isFresh ? instances.current(scope) : instances.of(scope);
  const [configured] = await Promise.all([asked, requireWorkspace(workspaceId)]);
  return configured;
}

/** Converts ids to lower case, because a client may send a UUID in upper case. */
function keyOf({ orgId, workspaceId }: WorkspaceScope): string {
  return `${orgId} ${workspaceId}`.toLowerCase();
}

type Nullable<Message> = {
  [Key in keyof Message]-?: undefined extends Message[Key] ? Message[Key] | null : Message[Key];
};

interface Row extends Nullable<Instance> {
  integrationName: string;
  enabledActions: string[] | null;
  partials: PartialHead[] | null;
}

async function findVersion(pool: Pool, { orgId, workspaceId }: WorkspaceScope): Promise<string> {
  const values = [orgId, workspaceId];
  const { rows } = await pool.query<{ version: string }>({ name: 'configuration-version', text: VERSION, values });
  return rows[0]!.version;
}

async function find(pool: Pool, { orgId, workspaceId }: WorkspaceScope): Promise<ConfiguredInstance[]> {
  const values = [orgId, workspaceId];
  const { rows } = await pool.query<Row>({ name: 'configured-instances', text: FIND, values });
  return rows.map(toConfigured);
}

function toConfigured(row: Row): ConfiguredInstance {
  const { integrationName, enabledActions, partials = [], ...instance } = toWire(row);
  return { integrationName, enabledActions, partials, instance };
}

/** Maximum number of aliases in an error message. */
const MAX_ALIASES = 50;

/** The fields that select a configured integration. */
interface Pickable {
  integrationName: string;
  instance: { id: string; alias: string };
}

/** How a call selects a configured integration. */
export interface InstanceSelector {
  integrationName: string;
  workspaceIntegrationId?: string;
  /** Used if workspaceIntegrationId is absent. */
  integrationAlias?: string;
}

/**
 * Returns the configured integration of a call: the requested one, otherwise the only one of the integration, otherwise the one with the name of the
 * integration as its alias. Returns undefined if the workspace configured none and the call requests none. Throws VALIDATION_ERROR if the requested
 * one does not exist, and if several remain.
 */
export function pickInstance<One extends Pickable>(
  configured: readonly One[],
  selector: InstanceSelector,
): One | undefined {
  const { integrationName, workspaceIntegrationId, integrationAlias } = selector;
  const candidates = ofIntegration(configured, integrationName);
  if (workspaceIntegrationId !== undefined) {
    const id = workspaceIntegrationId.toLowerCase();
    const named = candidates.find(({ instance }) => instance.id === id);
    return named ?? refuse('workspaceIntegrationId', `this workspace has no ${integrationName} integration ${id}`);
  }
  if (integrationAlias !== undefined) {
    const named = withAlias(candidates, integrationAlias);
    return (
      named ?? refuse('integrationAlias', `this alias belongs to no ${integrationName} integration${known(candidates)}`)
    );
  }
  const unnamed = theDefault(candidates, integrationName);
  if (unnamed || candidates.length === 0) return unnamed;
  return refuse('integrationAlias', `is required: ${integrationName} is configured more than once${known(candidates)}`);
}

/** Returns the configured integration of a call that requests none. Returns undefined if none exists, or if the call must select one of several. */
export function defaultInstance<One extends Pickable>(
  configured: readonly One[],
  integrationName: string,
): One | undefined {
  return theDefault(ofIntegration(configured, integrationName), integrationName);
}

function ofIntegration<One extends Pickable>(configured: readonly One[], integrationName: string): One[] {
  return configured.filter((one) => one.integrationName === integrationName);
}

function theDefault<One extends Pickable>(candidates: One[], integrationName: string): One | undefined {
  return candidates.length === 1 ? candidates[0] : withAlias(candidates, integrationName);
}

function withAlias<One extends Pickable>(candidates: One[], alias: string): One | undefined {
  return candidates.find(({ instance }) => instance.alias === alias);
}

function known(candidates: Pickable[]): string {
  if (candidates.length === 0) return '';
  const aliases = candidates.map(({ instance }) => instance.alias).sort();
  return `; there are ${aliases.slice(0, MAX_ALIASES).join(', ')}`;
}

function refuse(key: keyof InstanceSelector, message: string): never {
  throw invalid({ [key]: message });
}
