import { type Api } from './api.js';
import { rowsOf } from './database.js';
import { shared } from './shared.js';

/** Whose rows an organization is shown. What is refused is noted in the audit log, and counted: those are not among them. */
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
  // How its callbacks go is no change of a trigger.
  "(SELECT id, org_id, workspace_id FROM triggers.sources WHERE status = 'enabled')",
];

/** No more is what follows the deletion of a workspace. */
const LIVING = '(workspace_id IS NULL OR workspace_id IN (SELECT id FROM members.workspaces WHERE org_id = $1))';

/** When keys were used is no change, nor what else the product does in its own time. */
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
 * All that an organization is shown of itself, a row's content as its hash, in one look at the tables: to see that what was refused
 * changed nothing.
 */
export async function stateOf(api: Api): Promise<unknown> {
  const orgId = organizations.get(api) ?? organizationOf(api);
  organizations.set(api, orgId);
  return rowsOf(shared().databaseUrl, SQL, [await orgId, IN_ITS_OWN_TIME]);
}
