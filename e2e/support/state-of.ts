import { type Api } from './api.js';

const LISTS = ['workspaces', 'connections', 'api-keys', 'members', 'members/invitations', 'executions'];

type Lists = Record<string, { id: string; workspaceId?: string | null }[]>;

/**
 * All that an organization is shown of itself: to see that what was refused changed nothing. When keys were used is no change,
 * and no more is what follows the deletion of a workspace.
 */
export async function stateOf(api: Api): Promise<unknown> {
  const bodies = await Promise.all(LISTS.map(async (list) => (await api.get(`/api/v1/${list}?limit=100`)).body));
  const { workspaces = [], ...lists } = Object.assign({}, ...bodies) as Lists;
  const living = new Set<string | null | undefined>([null, undefined, ...workspaces.map(({ id }) => id)]);
  const kept = ['connections', 'executions', 'apiKeys', 'members', 'invitations'].map((name) =>
    lists[name]!.filter(({ workspaceId }) => living.has(workspaceId)),
  );
  const integrations = workspaces.map(async ({ id }) => (await api.get(`/api/v1/workspaces/${id}/integrations`)).body);
  const { organization } = (await api.get('/api/v1/organization')).body;
  const state = [organization, workspaces, kept, await Promise.all(integrations)];
  return JSON.parse(JSON.stringify(state, (key, value) => (key === 'lastUsedAt' ? undefined : value)));
}
