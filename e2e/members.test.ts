// Shapes: local
import { type Api, apiOf } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { expectWithinASecond } from './support/expect-within.js';
import { operatorOf } from './support/operator.js';
import { join, newPerson, type Person } from './support/people.js';
import { type Operations, testsOf } from './support/operation-cases.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/members';

export const OPERATIONS: Operations = {
  ListMembers: { call: () => ({}) },
  // Sets the role that the member already has, because this succeeds even for the last owner.
  UpdateMember: {
    call: ({ memberId }) => ({ path: { id: memberId }, body: { role: 'owner' } }),
    ids: { 'path.id': 'memberId' },
  },
  DeleteMember: {
    call: async ({ api, guest }) => ({ path: { id: await join(api, guest) } }),
    ids: { 'path.id': 'memberId' },
  },
};

let product: Drawbridge;
let api: Api;
let ownerId: string;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  [ann, bob] = await Promise.all([newPerson(product), newPerson(product)]);
  ownerId = (await api.get(PATH)).body.members[0].id;
});

const roleOf = async (id: string): Promise<string | undefined> => {
  const { members } = (await api.get(`${PATH}?limit=100`)).body;
  return members.find((one: { id: string }) => one.id === id)?.role;
};

/** Creates a key with all permissions of one of the organization's members. */
async function keyOf({ email }: Person): Promise<Api> {
  const wanted = { userEmail: email, orgId: product.orgId, name: 'Key' };
  const { apiKey, plainKey } = await operatorOf(product.databaseUrl).createKey(wanted);
  const permissions = { scope: 'org', approvals: { decide: true } };
  expect((await api.patch(`/api/v1/api-keys/${apiKey.id}`, { permissions })).status).toBe(200);
  return apiOf(product.baseUrl, plainKey);
}

describe('listing members', () => {
  it('returns the whole record of each member, newest first', async () => {
    const id = await join(api, ann);
    const { status, body } = await api.get(PATH);
    expect(status).toBe(200);
    expect(body).toEqual({
      members: [expect.objectContaining({ id }), expect.objectContaining({ id: ownerId })],
      total: 2,
    });
    expect(body.members[0]).toEqual({
      id: expect.stringMatching(UUID_V7),
      organizationId: product.orgId,
      userId: ann.userId,
      role: 'member',
      userName: ann.email.split('@')[0],
      userEmail: ann.email,
      userImage: null,
      createdAt: expect.stringMatching(TIMESTAMP),
    });
  });

  it('pages by limit and offset within their bounds', async () => {
    await join(api, ann);
    const { body } = await api.get(`${PATH}?limit=1&offset=1`);
    expect(body).toMatchObject({ members: [{ id: ownerId }], total: 2 });
    expectInvalid(await api.get(`${PATH}?limit=101&offset=-1`), 'limit', 'offset');
  });
});

describe('changing a role', () => {
  it.each(['admin', 'member', 'owner', 'admin'])('makes a member %s', async (role) => {
    const id = await join(api, ann);
    const { status, body } = await api.patch(`${PATH}/${id}`, { role });
    expect({ status, body }).toMatchObject({ status: 200, body: { member: { id, role, userEmail: ann.email } } });
    expect(await roleOf(id)).toBe(role);
  });

  it('reports every problem of the body', async () => {
    expectInvalid(await api.patch(`${PATH}/${ownerId}`, {}), 'role');
    expectInvalid(await api.patch(`${PATH}/${ownerId}`, { role: 'king' }), 'role');
    expectInvalid(await api.patch(`${PATH}/${ownerId}`, { role: null, userName: 'x' }), 'role', 'userName');
    expectInvalid(await api.patch(`${PATH}/unknown`, { role: 'admin' }), 'id');
    expectError(await api.patch(`${PATH}/${UNKNOWN_ID}`, { role: 'admin' }), 404, 'NOT_FOUND');
  });

  it('keeps at least one owner', async () => {
    expectInvalid(await api.patch(`${PATH}/${ownerId}`, { role: 'admin' }), 'role');
    expectInvalid(await api.delete(`${PATH}/${ownerId}`), 'id');
    expect(await roleOf(ownerId)).toBe('owner');
    expect((await api.patch(`${PATH}/${ownerId}`, { role: 'owner' })).status).toBe(200);
  });

  it('lets only owners promote and demote owners', async () => {
    const [annId, bobId] = [await join(api, ann), await join(api, bob)];
    await api.patch(`${PATH}/${annId}`, { role: 'admin' });
    const admin = await keyOf(ann);
    expect((await admin.patch(`${PATH}/${bobId}`, { role: 'admin' })).status).toBe(200);
    expectError(await admin.patch(`${PATH}/${bobId}`, { role: 'owner' }), 403, 'FORBIDDEN');
    expectError(await admin.patch(`${PATH}/${annId}`, { role: 'owner' }), 403, 'FORBIDDEN');
    expectError(await admin.patch(`${PATH}/${ownerId}`, { role: 'member' }), 403, 'FORBIDDEN');
    expectError(await admin.delete(`${PATH}/${ownerId}`), 403, 'FORBIDDEN');
    expect(await roleOf(ownerId)).toBe('owner');

    await api.patch(`${PATH}/${annId}`, { role: 'owner' });
    expect((await admin.patch(`${PATH}/${bobId}`, { role: 'owner' })).status).toBe(200);
    for (const id of [annId, bobId]) expect((await api.delete(`${PATH}/${id}`)).status).toBe(200);
  });
});

describe('removing a member', () => {
  it('revokes every key of that user in the organization within a second, at every gateway, and no other', async () => {
    const [annId] = [await join(api, ann), await join(api, bob)];
    const keys = [await keyOf(ann), await keyOf(ann)];
    const bobs = await keyOf(bob);
    for (const key of keys) expect((await key.get(PATH)).status).toBe(200);

    const { status, body } = await api.delete(`${PATH}/${annId}`);
    expect({ status, body }).toEqual({ status: 200, body: { deleted: true, id: annId } });
    await expectWithinASecond(async () => {
      for (const key of keys) expectError(await key.get(PATH), 401, 'UNAUTHENTICATED');
    });
    expect((await bobs.get(PATH)).status).toBe(200);
    expect((await ann.api.get(PATH)).status).toBe(200);
    expectError(await api.delete(`${PATH}/${annId}`), 404, 'NOT_FOUND');

    await join(api, ann);
    for (const key of keys) expectError(await key.get(PATH), 401, 'UNAUTHENTICATED');
  });

  it('takes effect at every gateway that has cached the key', async () => {
    const id = await join(api, ann);
    const wanted = { userEmail: ann.email, orgId: product.orgId, name: 'All' };
    const { plainKey } = await operatorOf(product.databaseUrl).createKey(wanted);
    const everywhere = (): Promise<number[]> =>
      Promise.all(product.baseUrls.map(async (url) => (await apiOf(url, plainKey).get(PATH)).status));
    expect(new Set(await everywhere())).toEqual(new Set([200]));
    await api.delete(`${PATH}/${id}`);
    await expectWithinASecond(async () => expect(new Set(await everywhere())).toEqual(new Set([401])));
  });

  it('finds nothing under an unknown id or in another organization', async () => {
    const theirs = (await product.other.get(PATH)).body.members[0].id;
    expectError(await api.delete(`${PATH}/${UNKNOWN_ID}`), 404, 'NOT_FOUND');
    expectError(await api.delete(`${PATH}/${theirs}`), 404, 'NOT_FOUND');
    expect((await product.other.get(PATH)).body.total).toBe(1);
  });
});
