// Shapes: local, processes
import { drawbridge } from './support/drawbridge.js';
import { type Operations, testsOf } from './support/operation-cases.js';

const { describe, it } = testsOf(import.meta);

export const OPERATIONS: Operations = { GetOrganization: { call: () => ({}) } };

describe('the organization', () => {
  it("is the key's own, with what its plan allows and what it has used", async () => {
    const { api, orgId } = await drawbridge();
    await api.post('/api/v1/workspaces', { name: 'Used', slug: 'used' });
    expect((await api.get('/api/v1/organization')).body).toEqual({
      organization: expect.objectContaining({ id: orgId, plan: 'enterprise' }),
      limits: expect.objectContaining({ workspaces: null }),
      usage: { workspaces: 1, members: 1, actionsThisMonth: 0 },
    });
  });

  it('is another for another key', async () => {
    const { other, orgId } = await drawbridge();
    const { organization, usage } = (await other.get('/api/v1/organization')).body;
    expect(organization.id).not.toBe(orgId);
    expect(usage.workspaces).toBe(0);
  });
});
