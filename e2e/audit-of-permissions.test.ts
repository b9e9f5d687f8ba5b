// Shapes: local
import { type Api } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { operatorOf } from './support/operator.js';
import { fresh } from './support/owned-resources.js';
import { invitationFor, join, newPerson } from './support/people.js';

let product: Drawbridge;
let api: Api;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
});

/** Waits until the log has `count` entries about a resource. Returns their reasons, newest first. */
async function reasonsOf(id: string, count: number): Promise<string[]> {
  return eventually(async () => {
    const { entries } = (await api.get(`/api/v1/audit-log?resourceId=${id}`)).body;
    expect(entries).toHaveLength(count);
    return entries.map(({ action, reason }: { action: string; reason: string | null }) => `${action}: ${reason}`);
  });
}

describe('the audit log records', () => {
  it('the old and the new role of a member', async () => {
    const id = await join(api, await newPerson(product));
    for (const role of ['admin', 'admin', 'owner', 'member'])
      expect((await api.patch(`/api/v1/members/${id}`, { role })).status).toBe(200);
    expect((await api.delete(`/api/v1/members/${id}`)).status).toBe(200);
    expect(await reasonsOf(id, 5)).toEqual([
      'member.delete: was member',
      'member.update: from owner to member',
      'member.update: from admin to owner',
      'member.update: from admin to admin',
      'member.update: from member to admin',
    ]);
  });

  it('the role of an invitation, and its acceptance', async () => {
    const person = await newPerson(product);
    const { invitation } = (await api.post('/api/v1/members/invite', { email: person.email, role: 'admin' })).body;
    expect((await person.api.post(`/api/v1/members/invitations/${invitation.id}/accept`)).status).toBe(200);
    expect(await reasonsOf(invitation.id, 2)).toEqual(['invitation.accept: as admin', 'invitation.create: as admin']);
  });

  it('the role and the member of a workspace membership', async () => {
    const memberId = await join(api, await newPerson(product));
    const { workspace } = (await api.post('/api/v1/workspaces', { name: 'Shared', slug: fresh() })).body;
    const wanted = { workspaceId: workspace.id, memberId, role: 'admin' };
    const { projectMember } = (await api.post('/api/v1/workspace-members', wanted)).body;
    await api.delete(`/api/v1/workspace-members/${projectMember.id}`);
    expect(await reasonsOf(projectMember.id, 2)).toEqual([
      `workspace_member.delete: member ${memberId}, was admin`,
      `workspace_member.create: member ${memberId} as admin`,
    ]);
  });

  it('the old and the new permissions of a key', async () => {
    const permissions = { scope: 'org', grants: ['connections.read'] };
    const expiresAt = '2099-01-01T00:00:00.000Z';
    const { apiKey } = (await api.post('/api/v1/api-keys', { name: 'One', permissions, expiresAt })).body;
    const wider = { scope: 'org', approvals: { decide: true } };
    for (const change of [{ permissions: wider }, { name: 'Two' }, { name: 'Two', permissions: wider }])
      expect((await api.patch(`/api/v1/api-keys/${apiKey.id}`, change)).status).toBe(200);
    expect(await reasonsOf(apiKey.id, 4)).toEqual([
      'api_key.update: as before',
      'api_key.update: name from "One" to "Two"',
      'api_key.update: permissions from {"scope":"org","grants":["connections.read"]} to {"scope":"org","approvals":{"decide":true}}',
      `api_key.create: permissions {"scope":"org","grants":["connections.read"]}, until ${expiresAt}`,
    ]);
  });

  it('names the user of a key that an operator creates, and the old and new plan', async () => {
    const { userEmail } = (await api.get('/api/v1/members?limit=100')).body.members.at(-1);
    const operator = operatorOf(product.databaseUrl);
    const made = await operator.createKey({ userEmail, orgId: product.orgId, name: 'Operated' });
    expect(await reasonsOf(made.apiKey.id, 1)).toEqual([
      `api_key.create: permissions {"scope":"org"}, for ${userEmail}`,
    ]);
    const { organization } = (await api.get('/api/v1/organization')).body;
    await operator.setPlan({ orgId: organization.id, plan: organization.plan });
    expect((await reasonsOf(organization.id, 2))[0]).toBe(
      `organization.set_plan: from ${organization.plan} to ${organization.plan}`,
    );
  });

  it('the cancellation of an invitation without a reason', async () => {
    const id = await invitationFor(api, `${fresh()}@example.com`);
    await api.delete(`/api/v1/members/invitations/${id}`);
    expect(await reasonsOf(id, 2)).toEqual(['invitation.cancel: null', 'invitation.create: as member']);
  });
});
