import { type FakeProvider, type ProviderBehaviour } from '@drawbridge/testkit';
import { type Api, apiOf } from './api.js';
import { type Drawbridge } from './drawbridge.js';
import { type GithubWorkspace } from './github.js';

export const TRIGGERS = '/api/v1/triggers';
export const CALLBACK = 'https://acme.example/events';

/** Returns a complete, valid body for POST /api/v1/triggers/enable: pushes to a repository, with the workspace's connection. */
export function pushTrigger(
  { workspaceId }: Pick<GithubWorkspace, 'workspaceId'>,
  changes: object = {},
): Record<string, unknown> {
  const trigger = { integrationName: 'github', triggerName: 'push', integrationAlias: 'gh' };
  return { ...trigger, workspaceId, callbackUrl: CALLBACK, input: { repo: 'acme/app' }, ...changes };
}

/** Enables a simulated trigger, for which no provider is called. Throws on failure. */
export async function simulatedTrigger(api: Api, own: Pick<GithubWorkspace, 'workspaceId'>): Promise<any> {
  const { status, body } = await api.post(`${TRIGGERS}/enable`, pushTrigger(own, { simulate: true }));
  if (status !== 201) throw new Error(`Enabling a trigger returned ${status}: ${JSON.stringify(body)}`);
  return body.triggerSource;
}

/** Configures GitHub to accept webhooks. Returns functions that list the requests, in order. */
export function repositoryHooks(github: FakeProvider, answer: ProviderBehaviour = { status: 201, body: { id: 7 } }) {
  github.on('GET /repos/acme/app/hooks', { body: [] });
  github.on('POST /repos/acme/app/hooks', answer);
  github.on('DELETE /repos/acme/app/hooks/7', { status: 204 });
  return {
    made: () => github.requests.filter(({ method }) => method === 'POST'),
    ended: () => github.requests.filter(({ method }) => method === 'DELETE').map(({ url }) => url),
  };
}

/** Returns the API with a key that is limited to this workspace. */
export async function keyIn(
  { api, baseUrl }: Pick<Drawbridge, 'api' | 'baseUrl'>,
  { workspaceId }: Pick<GithubWorkspace, 'workspaceId'>,
  ...grants: string[]
): Promise<Api> {
  const permissions = { scope: 'workspace', workspaceIds: [workspaceId], grants };
  const { plainKey } = (await api.post('/api/v1/api-keys', { name: 'Triggers', permissions })).body;
  return apiOf(baseUrl, plainKey);
}
