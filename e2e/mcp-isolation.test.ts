// Shapes: local
import { type AgentServer, agentServer, call, legacy } from './support/agents.js';
import { drawbridge } from './support/drawbridge.js';
import { newIntegration, newWorkspace } from './support/workspace-integrations.js';

const CLIENTS = 50;
const CALLS = 2;

it('shows 50 clients of several tenants, who use the same ids at the same time, nothing of one another', async () => {
  const { api, other } = await drawbridge();
  const servers: AgentServer[] = [];
  for (const tenant of [api, other]) {
    for (let place = 0; place < 3; place++) {
      const workspaceId = await newWorkspace(tenant);
      await newIntegration(tenant, workspaceId, { integrationName: 'kv-store', alias: 'kv' });
      servers.push(await agentServer(tenant, workspaceId), await agentServer(tenant, workspaceId));
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, index) => ({
    secret: `only-${index}-knows`,
    server: servers[index % servers.length]!,
  }));
  const told = await Promise.all(
    clients.map(async ({ secret, server }) => {
      const heard: string[] = [];
      for (let id = 1; id <= CALLS; id++) {
        const { body } = await legacy(server, {
          id,
          method: 'tools/call',
          params: { name: 'kv__set', arguments: { key: secret, value: secret } },
        });
        expect(body.id).toBe(id);
        heard.push(JSON.stringify(body), JSON.stringify(await call(server, 'kv__get', { key: secret }, { id })));
      }
      return heard;
    }),
  );
  told.forEach((heard, index) => {
    const text = heard.join('\n');
    expect(text).toContain(clients[index]!.secret);
    for (const { secret } of clients) if (secret !== clients[index]!.secret) expect(text).not.toContain(`"${secret}`);
  });
});
