import { modern } from './agents.js';
import { type Api, apiWith } from './api.js';
import { newServer } from './mcp-servers.js';
import { allow, program, redeem, refresh } from './oauth.js';
import { type Person } from './web-users.js';
import { type Web } from './web.js';
import { newWorkspace } from './workspace-integrations.js';

/** Calls the authorization server in every way that a client and a user can, and expects a response. */
export async function useOAuth(
  baseUrl: string,
  api: Api,
  { person, web }: { person: Person; web: Web },
): Promise<void> {
  const workspaceId = await newWorkspace(api);
  const { mcpEndpoint } = await newServer(api, workspaceId);
  const its = await program(baseUrl, mcpEndpoint);
  expect((await web.post(`/oauth/authorize/code?${its.query()}`, { code: '1' })).status).toBe(400);
  await api.post('/api/v1/end-users', { workspaceId, externalId: person.id, email: person.email });

  const code = async () => (await allow(web, its)).get('code')!;
  const [first, second] = [await code(), await code()];
  const { body } = await redeem(baseUrl, its, first);
  const agent = { ...{ serverId: '', endUserId: '', baseUrl }, path: new URL(mcpEndpoint).pathname };
  expect((await modern({ ...agent, token: body.access_token })).status).toBe(200);
  // The second request repeats the first, as a client does after a lost response.
  for (const _ of ['first', 'again']) expect((await refresh(baseUrl, its, body.refresh_token)).status).toBe(200);
  expect((await redeem(baseUrl, its, first)).status).toBe(400);
  const pair = (await redeem(baseUrl, its, second)).body;
  for (const token of [pair.access_token, pair.refresh_token]) {
    const form = new URLSearchParams({ token, client_id: its.clientId }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await apiWith(baseUrl, {}).send('POST', '/oauth/revoke', { text: form, headers })).status).toBe(200);
  }
}
