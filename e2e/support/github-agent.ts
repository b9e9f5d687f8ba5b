import { type FakeProvider } from '@drawbridge/testkit';
import { agentServer, type AgentServer } from './agents.js';
import { type Api } from './api.js';
import { type Drawbridge, drawbridge } from './drawbridge.js';
import { type GithubWorkspace, githubWorkspace } from './github.js';
import { provider } from './provider.js';
import { newIntegration } from './workspace-integrations.js';

/** A workspace with github under the alias `gh` and hash-encode under `hash`, and a token for the agent of an end user. */
export interface GithubAgent {
  product: Drawbridge;
  api: Api;
  github: FakeProvider;
  own: GithubWorkspace;
  server: AgentServer;
}

export async function githubAgent(): Promise<GithubAgent> {
  const product = await drawbridge();
  const { api } = product;
  const github = await provider();
  const own = await githubWorkspace(api);
  await newIntegration(api, own.workspaceId, { alias: 'hash' });
  return { product, api, github, own, server: await agentServer(api, own.workspaceId) };
}
