import { randomBytes } from 'node:crypto';
import { type Api } from './api.js';
import { type GithubWorkspace, githubWorkspace } from './github.js';
import { MCP_SERVERS, newServer } from './mcp-servers.js';
import { invitationFor, type Person } from './people.js';
import { simulatedTrigger } from './triggers.js';

/** One resource of each kind in an organization, so that every operation has a target. */
export interface OwnedResources extends GithubWorkspace {
  api: Api;
  executionId: string;
  endUserId: string;
  keyId: string;
  /** The owner's membership. Other organizations invite the owner by this email address. */
  memberId: string;
  email: string;
  invitationId: string;
  workspaceMemberId: string;
  oauthAppId: string;
  partialId: string;
  approvalPolicyId: string;
  /** A simulated trigger source, for which no provider is called. */
  triggerSourceId: string;
  mcpServerId: string;
  mcpToolId: string;
  /** An owner of another organization, who joins this organization and sends invitations to their own organization. */
  guest: Person;
}

export async function ownedResources(api: Api, guest: Person): Promise<OwnedResources> {
  const workspace = await githubWorkspace(api);
  const { workspaceId } = workspace;
  await api.post('/api/v1/actions/execute', workspace.createIssue);
  const { executions } = (await api.get(`/api/v1/executions?workspaceId=${workspaceId}`)).body;
  const { endUser } = (await api.post('/api/v1/end-users', { workspaceId, externalId: fresh() })).body;
  const { apiKey } = (await api.post('/api/v1/api-keys', { name: 'Another' })).body;
  const { id: memberId, userEmail: email } = (await api.get('/api/v1/members')).body.members.at(-1);
  const invitationId = await invitationFor(api, `${fresh()}@example.com`);
  const membership = { workspaceId, memberId };
  const { projectMember } = (await api.post('/api/v1/workspace-members', membership)).body;
  const app = {
    integrationName: 'github',
    clientId: 'client',
    clientSecret: 'secret',
    workspaceId: workspace.workspaceId,
  };
  const { oauthApp } = (await api.post('/api/v1/oauth-apps', app)).body;
  const partial = { workspaceId, integrationName: 'github', name: fresh(), values: { labels: [] } };
  const { id: partialId } = (await api.post('/api/v1/partials', partial)).body.partial;
  const policy = { name: fresh(), workspaceId };
  const { id: approvalPolicyId } = (await api.post('/api/v1/approval-policies', policy)).body.policy;
  const { id: triggerSourceId } = await simulatedTrigger(api, workspace);
  const { id: mcpServerId } = (await newServer(api, workspaceId)).server;
  const tool = { integrationName: 'hash-encode', actionName: 'hash' };
  const { id: mcpToolId } = (await api.post(`${MCP_SERVERS}/${mcpServerId}/tools`, tool)).body.tool;
  const people = { memberId, email, invitationId, workspaceMemberId: projectMember.id, guest };
  const ids = {
    executionId: executions[0].id,
    endUserId: endUser.id,
    keyId: apiKey.id,
    oauthAppId: oauthApp.id,
    partialId,
    approvalPolicyId,
    triggerSourceId,
    mcpServerId,
    mcpToolId,
  };
  return { ...workspace, ...people, ...ids, api };
}

/** Distinguishes test files, because a process runs several files one after the other. */
const FILE = randomBytes(4).toString('hex');
let made = 0;

/** Returns a unique name. */
export const fresh = (): string => `good-${FILE}-${++made}`;
