import { type Api } from './api.js';
import { rowsOf } from './database.js';
import { type Operation, operationsOf } from './operations.js';
import { shared } from './shared.js';

/** What is refused is noted there, and how the callbacks of a trigger go is shown with it. */
const ELSE = ['/api/v1/audit-log', '/api/v1/triggers'];

/** How its callbacks go is no change of a trigger. */
const ENABLED = "(SELECT id, org_id, workspace_id FROM triggers.sources WHERE status = 'enabled')";
/** They are listed workspace by workspace, of which there may be a hundred: a look at their table is one look. */
const OF_WORKSPACES = [
  'catalog.input_partials',
  'catalog.workspace_integrations',
  'connections.end_users',
  ENABLED,
  'mcp.servers',
  'mcp.tokens',
  'mcp.tools',
].map((table) => `SELECT workspace_id AS "workspaceId", one.* FROM ${table} one WHERE org_id = $1 ORDER BY id`);

interface Row {
  id: string;
  workspaceId?: string | null;
}

type Lists = Record<string, Row[]>;

let lists: Promise<string[]> | undefined;

/** Every list of the published document, by pages, of the whole organization. */
async function listsOf(api: Api): Promise<string[]> {
  const isList = ({ method, path, queryKeys }: Operation): boolean =>
    method === 'GET' && !path.includes('{') && queryKeys.includes('limit') && !ELSE.includes(path);
  return (await operationsOf(api)).filter(isList).map(({ path }) => path);
}

/**
 * All that an organization is shown of itself: to see that what was refused changed nothing. When keys were used is no change,
 * and no more is what follows the deletion of a workspace.
 */
export async function stateOf(api: Api): Promise<unknown> {
  const paths = await (lists ??= listsOf(api));
  const bodies = await Promise.all(paths.map(async (path) => (await api.get(`${path}?limit=100`)).body as Lists));
  const shown = bodies.flatMap((body) => Object.entries(body).filter(([, rows]) => Array.isArray(rows)));
  const { workspaces = [], ...others } = Object.fromEntries(shown);
  const living = new Set<string | null | undefined>([null, undefined, ...workspaces.map(({ id }) => id)]);
  const { organization } = (await api.get('/api/v1/organization')).body;
  const { databaseUrl } = shared();
  const inThem = await Promise.all(OF_WORKSPACES.map((sql) => rowsOf<Row>(databaseUrl, sql, [organization.id])));
  const kept = [...Object.values(others), ...inThem].map((rows) =>
    rows.filter(({ workspaceId }) => living.has(workspaceId)),
  );
  const state = [organization, workspaces, kept];
  return JSON.parse(JSON.stringify(state, (key, value) => (key === 'lastUsedAt' ? undefined : value)));
}
