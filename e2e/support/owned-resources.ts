import { type Api } from './api.js';
import { type GithubWorkspace, githubWorkspace } from './github.js';

/** What one organization has of everything: something for every operation to work on. */
export interface OwnedResources extends GithubWorkspace {
  api: Api;
  executionId: string;
  keyId: string;
}

export async function ownedResources(api: Api): Promise<OwnedResources> {
  const workspace = await githubWorkspace(api);
  await api.post('/api/v1/actions/execute', workspace.createIssue);
  const { executions } = (await api.get(`/api/v1/executions?workspaceId=${workspace.workspaceId}`)).body;
  const { apiKey } = (await api.post('/api/v1/api-keys', { name: 'Another' })).body;
  return { ...workspace, api, executionId: executions[0].id, keyId: apiKey.id };
}

let made = 0;

/** A name that nothing has yet. */
export const fresh = (): string => `good-${process.pid}-${++made}`;
