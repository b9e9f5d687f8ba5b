import { type Client } from 'pg';
import { type Api, apiOf } from './api.js';
import { fresh } from './owned-resources.js';

const LISTS = ['executions', 'approvals', 'connections', 'triggers', 'mcp/servers'];

/** Reads each list with a key that is limited to two workspaces. Returns the ids of these workspaces. */
export async function useLimitedKey(baseUrl: string, api: Api): Promise<string[]> {
  const made = [1, 2].map(() => api.post('/api/v1/workspaces', { name: 'Limited', slug: fresh() }));
  const workspaceIds = (await Promise.all(made)).map(({ body }) => body.workspace.id as string);
  const permissions = { scope: 'workspace', workspaceIds };
  const { plainKey } = (await api.post('/api/v1/api-keys', { name: 'Limited', permissions })).body;
  const limited = apiOf(baseUrl, plainKey);
  for (const list of LISTS) expect((await limited.get(`/api/v1/${list}?limit=1`)).status).toBe(200);
  return workspaceIds;
}

const OLDER_RUNS = `
  INSERT INTO execution.executions (id, org_id, source, integration_name, action_name, workspace_id, status, duration_ms, input,
      created_at)
  SELECT ('01900000' || substr(gen_random_uuid()::text, 9))::uuid, $1, 'rest', 'github', 'create_issue', place, 'success', 1, '{}', now()
  FROM unnest($2::uuid[]) AS place, generate_series(1, $3)`;

/** Adds `rows` runs to each workspace. They are older than all runs of other workspaces, which a query of the newest runs must therefore skip. */
export async function fillOlderRuns(
  client: Client,
  rows: number,
  { orgId, workspaceIds }: { orgId: string; workspaceIds: string[] },
): Promise<void> {
  await client.query(OLDER_RUNS, [orgId, workspaceIds, rows]);
  await client.query('ANALYZE execution.executions');
}
