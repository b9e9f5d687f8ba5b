import { type Api } from './api.js';
import { rowsOf } from './database.js';
import { shared } from './shared.js';

/** Tables with rows that an organization can see. The audit log and usage counters are excluded, because rejected calls change them. */
const OF_ORGANIZATION = [
  'connections.oauth_apps',
  'connections.webhook_secrets',
  'execution.state_entries',
  'members.api_keys',
  'members.brands',
  'members.invitations',
  'members.members',
  'members.workspaces',
];
const OF_WORKSPACES = [
  'approvals.approval_policies',
  'approvals.approval_requests',
  'catalog.bearer_shares',
  'catalog.input_partials',
  'catalog.workspace_integrations',
  'connections.connect_sessions',
  'connections.connections',
  'connections.end_users',
  'execution.executions',
  'mcp.servers',
  'mcp.tokens',
  'mcp.tools',
  'members.workspace_members',
  // Includes only columns that identify the trigger, because its callbacks also change its row.
  "(SELECT id, org_id, workspace_id FROM triggers.sources WHERE status = 'enabled')",
];

/** Excludes rows of deleted workspaces, which are purged in the background. */
const LIVING = '(workspace_id IS NULL OR workspace_id IN (SELECT id FROM members.workspaces WHERE org_id = $1))';

/** Excludes columns that change without a change by a caller, such as the time of the last use of a key. */
const ROWS = [
  "SELECT 'members.organizations' AS of, to_jsonb(one) AS row FROM members.organizations one WHERE id = $1",
  ...OF_ORGANIZATION.map((table) => rowsIn(table, 'org_id = $1')),
  ...OF_WORKSPACES.map((table) => rowsIn(table, `org_id = $1 AND ${LIVING}`)),
].join(' UNION ALL ');
const SQL = `SELECT of, row->>'id' AS id, md5((row - $2::text[])::text) AS row FROM (${ROWS}) shown ORDER BY 1, 2, 3`;
const IN_ITS_OWN_TIME = ['last_used_at'];

function rowsIn(table: string, where: string): string {
  return `SELECT '${table.replaceAll("'", '')}' AS of, to_jsonb(one) AS row FROM ${table} one WHERE ${where}`;
}

const organizations = new WeakMap<Api, Promise<string>>();

async function organizationOf(api: Api): Promise<string> {
  return (await api.get('/api/v1/organization')).body.organization.id;
}

/**
 * Returns everything that an organization can see of itself, with a hash of each row, from one query. Tests compare it to verify that a rejected call
 * changed nothing.
 */
export async function stateOf(api: Api): Promise<unknown> {
  const orgId = organizations.get(api) ?? organizationOf(api);
  organizations.set(api, orgId);
  return rowsOf(shared().databaseUrl, SQL, [await orgId, IN_ITS_OWN_TIME], 'state');
}
