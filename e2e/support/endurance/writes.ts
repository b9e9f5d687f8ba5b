import { setTimeout as sleep } from 'node:timers/promises';
import { type Api } from '../api.js';
import { fresh } from '../owned-resources.js';

const PAUSE_MS = 500;

/** Makes regular changes in every service, so that each service has events to publish. Errors are ignored, because faults cause outages. */
export function writesOf(api: Api): { stop(): Promise<void> } {
  let isOver = false;
  const running = repeat();

  async function repeat(): Promise<void> {
    while (!isOver) {
      await change(api).catch(() => undefined);
      await sleep(PAUSE_MS);
    }
  }

  return {
    async stop() {
      isOver = true;
      await running;
    },
  };
}

async function change(api: Api): Promise<void> {
  const name = fresh();
  const { workspace } = (await api.post('/api/v1/workspaces', { name, slug: name })).body;
  const workspaceId = workspace.id;
  const credential = { type: 'SECRET_TEXT', secretText: name, integrationName: 'github', externalId: name };
  await Promise.allSettled([
    api.post('/api/v1/connections', { ...credential, displayName: name, scope: 'WORKSPACE', workspaceId }),
    api.post('/api/v1/mcp/servers', { name, workspaceId }),
    runHash(api, workspaceId).then(() => api.post('/api/v1/approval-policies', { name, workspaceId })), // the policy would suspend the run
  ]);
  await api.delete(`/api/v1/workspaces/${workspaceId}`);
}

async function runHash(api: Api, workspaceId: string): Promise<void> {
  await api.post(`/api/v1/workspaces/${workspaceId}/integrations`, { integrationName: 'hash-encode' });
  const input = { text: 'a', algorithm: 'md5' };
  await api.post('/api/v1/actions/execute', { integrationName: 'hash-encode', actionName: 'hash', input, workspaceId });
}
