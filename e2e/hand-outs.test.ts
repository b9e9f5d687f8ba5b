// Shapes: none; in full: local
import { GRANTS } from '@drawbridge/contracts';
import { type Answer, type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { drawbridge, type Drawbridge } from './support/drawbridge.js';
import { fresh } from './support/owned-resources.js';
import { newPerson as newGuest } from './support/people.js';
import { newPerson, signIn } from './support/web-users.js';
import { apiOfPage } from './support/web.js';

const KEYS = '/api/v1/api-keys';
const MEMBERS = '/api/v1/members';
const ALL = { scope: 'org', approvals: { decide: true } };
const NOTHING = { scope: 'org', grants: [] };
const READING = { scope: 'org', grants: ['workspaces.read'] };
const MANAGING = { scope: 'org', grants: ['api_keys.manage', 'workspaces.read'] };
const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

type Name = 'owner' | 'admin';

let product: Drawbridge;
let people: Record<Name, Api>;
let adminId: string;

/** Creates a user with this role. Returns the member id and the API of their browser session. */
async function personOf(role: string): Promise<{ id: string; page: Api }> {
  const person = await newPerson(product.databaseUrl, { orgId: product.orgId, role });
  const { members } = (await product.api.get(`${MEMBERS}?limit=100`)).body;
  const { id } = members.find(({ userId }: { userId: string }) => userId === person.id);
  return { id, page: apiOfPage(product.baseUrl, await signIn(product.baseUrl, person)) };
}

beforeAll(async () => {
  product = await drawbridge();
  const [owner, admin] = [await personOf('owner'), await personOf('admin')];
  people = { owner: owner.page, admin: admin.page };
  adminId = admin.id;
});

async function keyOf(by: Api, permissions: object, expiresAt?: string): Promise<{ id: string; api: Api }> {
  const { status, body } = await by.post(KEYS, { name: fresh(), permissions, expiresAt });
  expect({ status, body }).toMatchObject({ status: 201 });
  return { id: body.apiKey.id, api: apiOf(product.baseUrl, body.plainKey) };
}

/** The caller: a user, or a key of a user. */
type Asking = [Name] | [Name, permissions: object, hours?: number];
const askerOf = async ([name, permissions, hours]: Asking): Promise<Api> =>
  permissions ? (await keyOf(people[name], permissions, hours ? inHours(hours) : undefined)).api : people[name];

const expectAnswer = ({ status, body }: Answer, isAllowed: boolean): void =>
  expect({ status, code: body.code }).toEqual(isAllowed ? { status: 200 } : { status: 403, code: 'FORBIDDEN' });

describe('updating a key of another member', () => {
  it.each<[string, Asking, Asking, [change: object, isAllowed: boolean]]>([
    ["an admin cannot extend an owner's key", ['admin'], ['owner', READING], [{ permissions: ALL }, false]],
    ["an admin's key cannot extend an owner's key", ['admin', ALL], ['owner', READING], [{ permissions: ALL }, false]],
    [
      "an admin cannot swap grants of an owner's key",
      ['admin'],
      ['owner', READING],
      [{ permissions: MANAGING }, false],
    ],
    ["an admin can reduce an owner's key", ['admin'], ['owner', READING], [{ permissions: NOTHING }, true]],
    ["an admin can rename an owner's key", ['admin'], ['owner', READING], [{ name: 'Renamed' }, true]],
    ["an owner can extend an owner's key", ['owner'], ['owner', READING], [{ permissions: ALL }, true]],
    ["an owner can extend an admin's key", ['owner'], ['admin', READING], [{ permissions: ALL }, true]],
    ["an admin can extend an admin's key", ['admin'], ['admin', READING], [{ permissions: ALL }, true]],
    ['no more than the calling key has', ['owner', MANAGING], ['admin', NOTHING], [{ permissions: ALL }, false]],
    ['as much as the calling key has', ['owner', MANAGING], ['admin', NOTHING], [{ permissions: MANAGING }, true]],
    ['an expiring key extends no lasting key', ['owner', ALL, 1], ['owner', READING], [{ permissions: ALL }, false]],
    ['a key extends no later-expiring key', ['owner', ALL, 1], ['owner', READING, 2], [{ permissions: ALL }, false]],
    ['a key extends an earlier-expiring key', ['owner', ALL, 2], ['owner', READING, 1], [{ permissions: ALL }, true]],
    ['an expiring key reduces a lasting key', ['owner', ALL, 1], ['owner', READING], [{ permissions: NOTHING }, true]],
  ])('%s', async (_, asking, [target, permissions, hours], [change, isAllowed]) => {
    const { id } = await keyOf(people[target], permissions!, hours ? inHours(hours) : undefined);
    expectAnswer(await (await askerOf(asking)).patch(`${KEYS}/${id}`, change), isAllowed);
  });
});

describe('granting a role', () => {
  const WRITING = { scope: 'org', grants: ['members.write'] };
  const READS = GRANTS.filter((grant) => grant.endsWith('.read'));
  const grants = [...READS, 'actions.execute', 'members.write'];
  const AS_A_MEMBER = { scope: 'org', grants, approvals: { decide: true } };
  const ROLES: [string, Asking, string, boolean][] = [
    ['by an admin', ['admin'], 'admin', true],
    ['by an admin', ['admin'], 'member', true],
    ['by a key without approval decisions', ['admin', { scope: 'org' }], 'member', false],
    ['by a key without approval decisions', ['admin', { scope: 'org' }], 'admin', false],
    ['by a key with all grants and approval decisions', ['admin', ALL], 'admin', true],
    ["by an owner's key with only members.write", ['owner', WRITING], 'admin', false],
    ["by an owner's key with only members.write", ['owner', WRITING], 'member', false],
    ["by an owner's key with all grants of a member", ['owner', AS_A_MEMBER], 'member', true],
    ["by an owner's key with all grants of a member", ['owner', AS_A_MEMBER], 'admin', false],
  ];

  it.each(ROLES)('in an invitation, %s: %j as %s', async (_, asking, role, isAllowed) => {
    const email = `${fresh()}@example.com`;
    expectAnswer(await (await askerOf(asking)).post(`${MEMBERS}/invite`, { email, role }), isAllowed);
  });

  it.each<[string, Asking, [before: 'admin' | 'member', role: string], boolean]>([
    ['an admin can promote to admin', ['admin'], ['member', 'admin'], true],
    ['a key that cannot decide cannot promote', ['admin', { scope: 'org' }], ['member', 'admin'], false],
    ['a key with only members.write cannot promote to admin', ['owner', WRITING], ['member', 'admin'], false],
    ['a key with only members.write cannot promote to owner', ['owner', WRITING], ['admin', 'owner'], false],
    ['an admin cannot promote to owner', ['admin'], ['member', 'owner'], false],
    ['an owner can promote to owner', ['owner'], ['member', 'owner'], true],
    ['a key with only members.write can demote', ['owner', WRITING], ['admin', 'member'], true],
  ])('to a member: %s', async (_, asking, [before, role], isAllowed) => {
    const { id } = await personOf(before);
    expectAnswer(await (await askerOf(asking)).patch(`${MEMBERS}/${id}`, { role }), isAllowed);
  });
});

describe('granting a workspace membership', () => {
  const WRITING = { scope: 'org', grants: ['members.write'] };
  it.each<[string, Asking, string, boolean]>([
    ['by an admin', ['admin'], 'admin', true],
    ['by a key with all grants and approval decisions', ['admin', ALL], 'admin', true],
    ['by a key without approval decisions', ['admin', { scope: 'org' }], 'member', false],
    ["by an owner's key with only members.write", ['owner', WRITING], 'member', false],
  ])('%s: %j as %s', async (_, asking, role, isAllowed) => {
    const { body } = await product.api.post('/api/v1/workspaces', { name: 'Handed', slug: fresh() });
    const wanted = { workspaceId: body.workspace.id, memberId: adminId, role };
    const { status } = await (await askerOf(asking)).post('/api/v1/workspace-members', wanted);
    expect(status).toBe(isAllowed ? 201 : 403);
  });

  it('requires all permissions of the role from a workspace-scoped key', async () => {
    const { body } = await product.api.post('/api/v1/workspaces', { name: 'Handed', slug: fresh() });
    const workspaceId = body.workspace.id;
    const add = async (permissions: object): Promise<number> => {
      const key = await keyOf(people.owner, { scope: 'workspace', workspaceIds: [workspaceId], ...permissions });
      return (await key.api.post('/api/v1/workspace-members', { workspaceId, memberId: adminId })).status;
    };
    expect(await add({})).toBe(403);
    expect(await add({ approvals: { decide: true } })).toBe(201);
  });
});

describe('an invitation is valid only while its creator may grant the role:', () => {
  const ACCEPTED = { status: 200 };
  const WITHDRAWN = { status: 404, code: 'NOT_FOUND' };
  const REFUSED = { status: 403, code: 'FORBIDDEN' };

  interface Maker {
    id: string;
    page: Api;
    keyId: string;
    key: Api;
  }

  it.each<[string, 'page' | 'key', (maker: Maker) => Promise<unknown>, object]>([
    ['a user with an unchanged role', 'page', ({ id }) => setRole(id, 'owner'), ACCEPTED],
    ['a removed user', 'page', ({ id }) => people.owner.delete(`${MEMBERS}/${id}`), WITHDRAWN],
    ['a demoted user', 'page', ({ id }) => setRole(id, 'member'), WITHDRAWN],
    ['a key of a removed user', 'key', ({ id }) => people.owner.delete(`${MEMBERS}/${id}`), WITHDRAWN],
    ['a key of a demoted user', 'key', ({ id }) => setRole(id, 'member'), WITHDRAWN],
    ['a revoked key', 'key', ({ keyId }) => people.owner.delete(`${KEYS}/${keyId}`), WITHDRAWN],
    ['a user with a revoked key', 'page', ({ keyId }) => people.owner.delete(`${KEYS}/${keyId}`), ACCEPTED],
    ['a key that can no longer decide approvals', 'key', ({ keyId }) => narrow(keyId, { scope: 'org' }), REFUSED],
    ['a key with fewer grants', 'key', ({ keyId }) => narrow(keyId, READING), REFUSED],
    ['an expired key', 'key', ({ keyId }) => expire(keyId), REFUSED],
  ])('by %s', async (_, by, change, expected) => {
    const maker = await newMaker();
    const guest = await newGuest(product);
    const { body } = await maker[by].post(`${MEMBERS}/invite`, { email: guest.email, role: 'admin' });
    await change(maker);
    const { status, body: answer } = await guest.api.post(`${MEMBERS}/invitations/${body.invitation.id}/accept`);
    expect({ status, code: answer.code }).toMatchObject(expected);
    if (expected === WITHDRAWN) {
      const again = { email: guest.email };
      expect((await people.owner.post(`${MEMBERS}/invite`, again)).status).toBe(200);
    }
  });

  const setRole = (id: string, role: string): Promise<Answer> => people.owner.patch(`${MEMBERS}/${id}`, { role });
  const narrow = (id: string, permissions: object): Promise<Answer> =>
    people.owner.patch(`${KEYS}/${id}`, { permissions });
  const expire = (id: string): Promise<unknown> =>
    rowsOf(product.databaseUrl, 'UPDATE members.api_keys SET expires_at = now() WHERE id = $1', [id]);

  async function newMaker(): Promise<Maker> {
    const { id, page } = await personOf('admin');
    const { id: keyId, api } = await keyOf(page, ALL);
    return { id, page, keyId, key: api };
  }
});

it("an admin cannot become an owner through an owner's key", async () => {
  const { id } = await keyOf(people.owner, READING);
  expectAnswer(await people.admin.patch(`${KEYS}/${id}`, { permissions: ALL }), false);
  expectAnswer(await people.admin.patch(`${MEMBERS}/${adminId}`, { role: 'owner' }), false);
});
