// Shapes: local
import { drawbridge } from './support/drawbridge.js';
import { TIMESTAMP } from './support/expect.js';
import { githubWorkspace } from './support/github.js';
import { type Operations, testsOf } from './support/operation-cases.js';

const { describe, it } = testsOf(import.meta);

export const OPERATIONS: Operations = { GetOrganization: { call: () => ({}) } };

describe('the organization', () => {
  it('is that of the key, with the limits of its plan and its usage', async () => {
    const { api, orgId } = await drawbridge();
    await githubWorkspace(api);
    expect((await api.get('/api/v1/organization')).body).toEqual({
      organization: {
        id: orgId,
        name: expect.any(String),
        slug: expect.stringMatching(/^[a-z0-9][a-z0-9-]*$/),
        plan: 'enterprise',
        createdAt: expect.stringMatching(TIMESTAMP),
        updatedAt: expect.stringMatching(TIMESTAMP),
        logo: null,
        color: null,
      },
      limits: expect.objectContaining({ workspaces: null }),
      usage: { workspaces: 1, members: 1, connections: 1, mcpServers: 0, actionsThisMonth: 0, sandboxRunsThisMonth: 0 },
    });
  });

  it('counts suspended resources, but not deleted ones', async () => {
    const { api } = await drawbridge();
    const usage = async () => (await api.get('/api/v1/organization')).body.usage;
    const before = await usage();
    const { workspaceId, connectionId } = await githubWorkspace(api);
    await api.post(`/api/v1/connections/${connectionId}/suspend`);
    await api.post(`/api/v1/workspaces/${workspaceId}/suspend`);
    const { workspaces, connections } = before;
    expect(await usage()).toEqual({ ...before, workspaces: workspaces + 1, connections: connections + 1 });
    await api.delete(`/api/v1/connections/${connectionId}`);
    await api.delete(`/api/v1/workspaces/${workspaceId}`);
    expect(await usage()).toEqual(before);
  });

  it('is another one for another key', async () => {
    const { other, orgId } = await drawbridge();
    const { organization, usage } = (await other.get('/api/v1/organization')).body;
    expect(organization.id).not.toBe(orgId);
    expect(usage).toMatchObject({ workspaces: 0, connections: 0 });
  });
});
