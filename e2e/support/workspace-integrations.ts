import { type Answer, type Api } from './api.js';

let made = 0;

export const unique = (prefix = 'a'): string => `${prefix}-${++made}`;

export const pathOf = (workspace: string, id?: string): string =>
  `/api/v1/workspaces/${workspace}/integrations${id === undefined ? '' : `/${id}`}`;

export async function newWorkspace(api: Api): Promise<string> {
  const slug = unique(`integrations-${process.pid}`);
  return (await made201(api.post('/api/v1/workspaces', { name: 'Integrations', slug }))).workspace.id;
}

/** Creates a github connection, by default for all workspaces. */
export async function newConnection(api: Api, changes: object = {}): Promise<string> {
  const body = { type: 'SECRET_TEXT', secretText: 'ghp_x', externalId: unique('c'), displayName: 'Octocat' };
  return (await made201(api.post('/api/v1/connections', { ...body, integrationName: 'github', ...changes }))).connection
    .id;
}

/** Configures an integration, by default an integration that needs no connection. */
export async function newIntegration(api: Api, workspace: string, changes: object = {}): Promise<any> {
  const body = { integrationName: 'hash-encode', alias: unique(), ...changes };
  return (await made201(api.post(pathOf(workspace), body))).integration;
}

async function made201(asked: Promise<Answer>): Promise<any> {
  const { status, body } = await asked;
  if (status !== 201) throw new Error(`Expected 201, got ${status}: ${JSON.stringify(body)}`);
  return body;
}
