import { type Api } from './api.js';
import { type GithubWorkspace, githubWorkspace } from './github.js';
import { type Call } from './operations.js';

let made = 0;
const fresh = (): string => `good-${process.pid}-${++made}`;

/** What one organization has of everything: something for every operation to work on. */
export interface Belongings extends GithubWorkspace {
  api: Api;
  executionId: string;
  keyId: string;
}

export async function belongings(api: Api): Promise<Belongings> {
  const workspace = await githubWorkspace(api);
  await api.post('/api/v1/actions/execute', workspace.createIssue);
  const { executions } = (await api.get(`/api/v1/executions?workspaceId=${workspace.workspaceId}`)).body;
  const { apiKey } = (await api.post('/api/v1/api-keys', { name: 'Another' })).body;
  return { ...workspace, api, executionId: executions[0].id, keyId: apiKey.id };
}

/** For every operation a call that succeeds, made anew each time: it may delete what it names. */
export const GOOD_CALLS: Record<string, (own: Belongings) => Call | Promise<Call>> = {
  ListWorkspaces: () => ({}),
  CreateWorkspace: () => ({ body: { name: 'Good', slug: fresh() } }),
  GetWorkspace: ({ workspaceId }) => ({ path: { id: workspaceId } }),
  UpdateWorkspace: ({ workspaceId }) => ({ path: { id: workspaceId }, body: { name: 'Better' } }),
  DeleteWorkspace: async ({ api }) => ({ path: { id: (await githubWorkspace(api)).workspaceId } }),
  ListApiKeys: () => ({}),
  CreateApiKey: () => ({ body: { name: 'Good' } }),
  RevokeApiKey: async ({ api }) => ({
    path: { id: (await api.post('/api/v1/api-keys', { name: 'x' })).body.apiKey.id },
  }),
  GetOrganization: () => ({}),
  ListIntegrations: () => ({}),
  ListWorkspaceIntegrations: ({ workspaceId }) => ({ path: { workspaceId } }),
  CreateWorkspaceIntegration: ({ workspaceId, connectionId }) => ({
    path: { workspaceId },
    body: { integrationName: 'github', alias: fresh(), connectionId },
  }),
  UpdateWorkspaceIntegration: ({ workspaceId, integrationId: id, connectionId }) => ({
    path: { workspaceId, id },
    body: { connectionId },
  }),
  DeleteWorkspaceIntegration: async ({ api }) => {
    const { workspaceId, integrationId: id } = await githubWorkspace(api);
    return { path: { workspaceId, id } };
  },
  ListConnections: ({ connectionId: id }) => ({ query: { id } }),
  CreateConnection: ({ workspaceId }) => ({
    body: {
      type: 'SECRET_TEXT',
      secretText: 's',
      integrationName: 'github',
      workspaceId,
      externalId: fresh(),
      displayName: 'G',
    },
  }),
  DeleteConnection: async ({ api }) => ({ path: { id: (await githubWorkspace(api)).connectionId } }),
  ResolveConnection: ({ workspaceId }) => ({ body: { integrationName: 'github', workspaceId } }),
  ExecuteAction: ({ createIssue, integrationId: workspaceIntegrationId }) => ({
    body: { ...createIssue, workspaceIntegrationId },
  }),
  ListExecutions: ({ workspaceId }) => ({ query: { workspaceId } }),
  GetExecution: ({ executionId: id }) => ({ path: { id } }),
};
