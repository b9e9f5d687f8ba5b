import { type Api } from './api.js';

let made = 0;

export interface GithubWorkspace {
  workspaceId: string;
  connectionId: string;
  integrationId: string;
  secret: string;
  /** A complete, valid body for POST /api/v1/actions/execute. */
  createIssue: {
    integrationName: string;
    actionName: string;
    workspaceId: string;
    integrationAlias: string;
    input: object;
  };
}

/** Creates a workspace that can create issues: it has a SECRET_TEXT connection and the github integration under the alias `gh`. */
export async function githubWorkspace(api: Api, secret = `ghp_${Date.now()}_${++made}`): Promise<GithubWorkspace> {
  const slug = `github-${process.pid}-${++made}`;
  const workspaceId = (await made201(api, '/api/v1/workspaces', { name: 'GitHub', slug })).workspace.id;
  const credential = { type: 'SECRET_TEXT', secretText: secret, integrationName: 'github' };
  const names = { externalId: slug, displayName: 'GitHub', scope: 'WORKSPACE', workspaceId };
  const connectionId = (await made201(api, '/api/v1/connections', { ...credential, ...names })).connection.id;
  const integration = { integrationName: 'github', alias: 'gh', connectionId };
  const path = `/api/v1/workspaces/${workspaceId}/integrations`;
  const integrationId = (await made201(api, path, integration)).integration.id;
  const input = { repo: 'acme/app', title: 'Broken', body: 'It is broken.' };
  const action = { integrationName: 'github', actionName: 'create_issue', integrationAlias: 'gh' };
  return { workspaceId, connectionId, integrationId, secret, createIssue: { ...action, workspaceId, input } };
}

async function made201(api: Api, path: string, body: unknown): Promise<any> {
  const answer = await api.post(path, body);
  if (answer.status !== 201) throw new Error(`POST ${path} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
