import { type JsonObject } from '@drawbridge/piece-kit';
import { type PoolClient } from 'pg';
import { appTriggers } from '../intake/inbound-triggers.js';
import { type Inbound } from './inbound.js';

/** Of an app, told in one go. */
export const PAGE = 100;

/** Who asked for events, as far as it takes to make them. */
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

const OF_HOOK = {
  name: 'source-of-hook',
  text: `SELECT ${COLUMNS} FROM triggers.sources WHERE org_id = $1 AND id = $2 AND status <> 'disabling'`,
};
/** Of whichever organization: the third party says whom it is about, and the app is the operator's. */
const OF_ROUTE = {
  name: 'sources-of-route',
  text: `SELECT ${COLUMNS} FROM triggers.sources
    WHERE integration_name = $1 AND route_key = ANY($2::text[]) AND status <> 'disabling' AND ($3::uuid IS NULL OR id > $3)
    ORDER BY id LIMIT ${PAGE}`,
};

/** Whom something was sent for; of an app those after that one, `PAGE` at most. */
export async function sourcesOf(
  tx: PoolClient,
  { orgId, sourceId, integrationName, request }: Inbound,
  after: string | undefined,
): Promise<AskingSource[]> {
  if (sourceId !== null) return (await tx.query<AskingSource>({ ...OF_HOOK, values: [orgId, sourceId] })).rows;
  const keys = appTriggers(integrationName).flatMap((trigger) => trigger.route(request) ?? []);
  const values = [integrationName, [...new Set(keys)], after ?? null];
  return (await tx.query<AskingSource>({ ...OF_ROUTE, values })).rows;
}
