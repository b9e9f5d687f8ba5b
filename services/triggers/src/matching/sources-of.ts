import { type JsonObject } from '@drawbridge/piece-kit';
import { type PoolClient } from 'pg';
import { type Inbound } from './inbound.js';

/** Sources of an app that are processed at once. */
export const PAGE = 100;

/** The columns of a source that creating its events needs. */
export interface AskingSource {
  id: string;
  orgId: string;
  workspaceId: string;
  integrationName: string;
  triggerName: string;
  routeKey: string | null;
  input: JsonObject;
  simulate: boolean;
}

const COLUMNS = `id, org_id AS "orgId", workspace_id AS "workspaceId", integration_name AS "integrationName",
  trigger_name AS "triggerName", route_key AS "routeKey", input, simulate`;

const OF_HOOKS = {
  name: 'sources-of-hooks',
  text: `SELECT ${COLUMNS} FROM triggers.sources
    WHERE org_id = ANY($1::uuid[]) AND id = ANY($2::uuid[]) AND status <> 'disabling'`,
};
/** Not limited to an organization: the app belongs to the operator, and the provider's route key selects the sources. */
const OF_ROUTE = {
  name: 'sources-of-route',
  text: `SELECT ${COLUMNS} FROM triggers.sources
    WHERE integration_name = $1 AND route_key = ANY($2::text[]) AND status <> 'disabling' AND ($3::uuid IS NULL OR id > $3)
    ORDER BY id LIMIT ${PAGE}`,
};

/** Returns the sources to whose addresses requests were sent, by id, without those that are being disabled. */
export async function sourcesOfHooks(tx: PoolClient, sent: readonly Inbound[]): Promise<Map<string, AskingSource>> {
  const [orgIds, ids] = [new Set(sent.map(({ orgId }) => orgId)), new Set(sent.map(({ sourceId }) => sourceId))];
  const { rows } = await tx.query<AskingSource>({ ...OF_HOOKS, values: [[...orgIds], [...ids]] });
  return new Map(rows.map((source) => [source.id, source]));
}

/** Returns the sources of an app with these route keys that follow `after`, at most `PAGE`. */
export async function sourcesOfApp(
  tx: PoolClient,
  { integrationName }: Inbound,
  { keys, after }: { keys: readonly string[]; after: string | undefined },
): Promise<AskingSource[]> {
  const values = [integrationName, [...new Set(keys)], after ?? null];
  return (await tx.query<AskingSource>({ ...OF_ROUTE, values })).rows;
}
