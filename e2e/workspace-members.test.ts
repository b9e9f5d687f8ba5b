// Shapes: local
import { type Api } from './support/api.js';
import { fresh } from './support/owned-resources.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { join, newPerson } from './support/people.js';
import { type Operations, testsOf } from './support/operation-cases.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/workspace-members';

async function newWorkspace(api: Api): Promise<string> {
  return (await api.post('/api/v1/workspaces', { name: 'Members', slug: fresh() })).body.workspace.id;
}

export const OPERATIONS: Operations = {
  CreateWorkspaceMember: {
    call: async ({ api, memberId }) => ({ body: { workspaceId: await newWorkspace(api), memberId } }),
    ids: { 'body.memberId': 'memberId' },
    givesRole: true,
  },
  DeleteWorkspaceMember: {
    call: async ({ api, memberId }) => {
      const { body } = await api.post(PATH, { workspaceId: await newWorkspace(api), memberId });
      return { path: { id: body.projectMember.id } };
    },
    ids: { 'path.id': 'workspaceMemberId' },
  },
};

let product: Drawbridge;
let api: Api;
let memberId: string;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  memberId = (await api.get('/api/v1/members')).body.members[0].id;
  workspaceId = await newWorkspace(api);
});

describe('adding a member to a workspace', () => {
  it('answers 201 with the whole record', async () => {
    const { status, body } = await api.post(PATH, { workspaceId, memberId, role: 'admin' });
    const id = expect.stringMatching(UUID_V7);
    const createdAt = expect.stringMatching(TIMESTAMP);
    expect({ status, body }).toEqual({
      status: 201,
      body: { projectMember: { id, workspaceId, memberId, role: 'admin', createdAt } },
    });
    expectError(await api.post(PATH, { workspaceId, memberId }), 409, 'DUPLICATE');
  });

  it('assigns the role member by default', async () => {
    const { body } = await api.post(PATH, { workspaceId: await newWorkspace(api), memberId });
    expect(body.projectMember.role).toBe('member');
  });

  it('reports invalid fields and unknown ids', async () => {
    expectInvalid(await api.post(PATH, { role: 'owner' }), 'memberId', 'role', 'workspaceId');
    expectInvalid(
      await api.post(PATH, { workspaceId: 'x', memberId: 'y', more: 1 }),
      'memberId',
      'more',
      'workspaceId',
    );
    expectInvalid(await api.post(PATH, { workspaceId, memberId: UNKNOWN_ID }), 'memberId');
    expectError(await api.post(PATH, { workspaceId: UNKNOWN_ID, memberId }), 404, 'NOT_FOUND');
  });

  it('refuses a workspace and a member of another organization', async () => {
    const theirs = (await product.other.get('/api/v1/members')).body.members[0].id;
    const their = await newWorkspace(product.other);
    expectInvalid(await api.post(PATH, { workspaceId, memberId: theirs }), 'memberId');
    expectError(await api.post(PATH, { workspaceId: their, memberId }), 404, 'NOT_FOUND');
  });

  it('succeeds for one of 20 racing requests', async () => {
    const body = { workspaceId: await newWorkspace(api), memberId };
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post(PATH, body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, 409, 'DUPLICATE');
  });

  it('leaves no rows where the workspace is deleted concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      const body = { workspaceId: await newWorkspace(api), memberId };
      const [added, deleted] = await Promise.all([
        api.post(PATH, body),
        api.delete(`/api/v1/workspaces/${body.workspaceId}`),
      ]);
      expect(deleted.status).toBe(200);
      expect([201, 404]).toContain(added.status);
      expect(await left('workspace_id', body.workspaceId)).toEqual([]);
    }
  });
});

describe('removing a member from a workspace', () => {
  it('succeeds once', async () => {
    const { body } = await api.post(PATH, { workspaceId: await newWorkspace(api), memberId });
    const { id } = body.projectMember;
    expect(await api.delete(`${PATH}/${id}`)).toMatchObject({ status: 200, body: { deleted: true, id } });
    expectError(await api.delete(`${PATH}/${id}`), 404, 'NOT_FOUND');
  });

  it('is part of removing the member from the organization', async () => {
    const ann = await join(api, await newPerson(product));
    expect((await api.post(PATH, { workspaceId, memberId: ann })).status).toBe(201);
    await api.delete(`/api/v1/members/${ann}`);
    expect(await left('member_id', ann)).toEqual([]);
  });
});

const left = (column: string, id: string): Promise<object[]> =>
  rowsOf(product.databaseUrl, `SELECT id FROM members.workspace_members WHERE ${column} = $1`, [id]);
