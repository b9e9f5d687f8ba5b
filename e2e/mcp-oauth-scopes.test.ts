// Shapes: local
import { modern } from './support/agents.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { newServer } from './support/mcp-servers.js';
import { allow, program, redeem, refresh } from './support/oauth.js';
import { newPerson, signIn } from './support/web-users.js';
import { newWorkspace } from './support/workspace-integrations.js';

let product: Drawbridge;

beforeAll(async () => {
  product = await drawbridge();
});

it('a token with too few scopes receives a challenge with the required scopes', async () => {
  const { baseUrl, api } = product;
  const fields = { mode: 'CODE', endUserAccess: 'open' };
  const { mcpEndpoint } = await newServer(api, await newWorkspace(api), fields);
  const its = await program(baseUrl, mcpEndpoint);
  const web = await signIn(baseUrl, await newPerson(product.databaseUrl));
  const params = await allow(web, { query: () => its.query({ scope: 'mcp:tools offline_access' }) });
  const { body } = await redeem(baseUrl, its, params.get('code')!);
  expect(body.scope).toBe('mcp:tools');
  const path = new URL(mcpEndpoint).pathname;
  const { status, headers } = await modern({ serverId: '', endUserId: '', baseUrl, path, token: body.access_token });
  expect([status, headers.get('www-authenticate')]).toEqual([
    403,
    `Bearer error="insufficient_scope", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource${path}", scope="mcp:tools mcp:code"`,
  ]);
  // Unknown scopes are ignored, as in the authorization request.
  const again = await refresh(baseUrl, its, body.refresh_token, { scope: 'mcp:tools offline_access' });
  expect([again.status, again.body.scope]).toEqual([200, 'mcp:tools']);
});
