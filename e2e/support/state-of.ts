import { type Api } from './api.js';
import { rowsOf } from './database.js';
import { shared } from './shared.js';

const LISTS = ['workspaces', 'connections', 'api-keys', 'members', 'members/invitations', 'executions'];

/** How its callbacks go is no change of a trigger. */
const ENABLED = "(SELECT id, org_id, workspace_id FROM triggers.sources WHERE status = 'enabled')";
/** They are listed workspace by workspace, of which there may be a hundred: a look at their table is one look. */
const OF_WORKSPACES = [
  'catalog.input_partials',
  'catalog.workspace_integrations',
  'connections.end_users',
  ENABLED,
].map((table) => `SELECT workspace_id AS "workspaceId", one.* FROM ${table} one WHERE org_id = $1 ORDER BY id`);

interface Row {
  id: string;
  workspaceId?: string | null;
}

type Lists = Record<string, Row[]>;

/**
 * All that an organization is shown of itself: to see that what was refused changed nothing. When keys were used is no change,
 * and no more is what follows the deletion of a workspace.
 */
export async function stateOf(api: Api): Promise<unknown> {
  const bodies = await Promise.all(LISTS.map(async (list) => (await api.get(`/api/v1/${list}?limit=100`)).body));
  const { workspaces = [], ...lists } = Object.assign({}, ...bodies) as Lists;
  const living = new Set<string | null | undefined>([null, undefined, ...workspaces.map(({ id }) => id)]);
  const { organization } = (await api.get('/api/v1/organization')).body;
  const { databaseUrl } = shared();
  const inThem = await Promise.all(OF_WORKSPACES.map((sql) => rowsOf<Row>(databaseUrl, sql, [organization.id])));
  const all = ['connections', 'executions', 'apiKeys', 'members', 'invitations'].map((name) => lists[name]!);
  const kept = [...all, ...inThem].map((rows) => rows.filter(({ workspaceId }) => living.has(workspaceId)));
  const state = [organization, workspaces, kept];
  return JSON.parse(JSON.stringify(state, (key, value) => (key === 'lastUsedAt' ? undefined : value)));
}
