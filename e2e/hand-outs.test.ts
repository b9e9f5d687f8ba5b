// Shapes: local
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

describe('a key of somebody is changed', () => {
  it.each<[string, Asking, Asking, [change: object, isAllowed: boolean]]>([
    ["an owner's, to more, by an admin", ['admin'], ['owner', READING], [{ permissions: ALL }, false]],
    ["an owner's, to more, by a key of an admin", ['admin', ALL], ['owner', READING], [{ permissions: ALL }, false]],
    ["an owner's, to something else, by an admin", ['admin'], ['owner', READING], [{ permissions: MANAGING }, false]],
    ["an owner's, to less, by an admin", ['admin'], ['owner', READING], [{ permissions: NOTHING }, true]],
    ["an owner's, in name, by an admin", ['admin'], ['owner', READING], [{ name: 'Renamed' }, true]],
    ["an owner's, to more, by an owner", ['owner'], ['owner', READING], [{ permissions: ALL }, true]],
    ["an admin's, to more, by an owner", ['owner'], ['admin', READING], [{ permissions: ALL }, true]],
    ["an admin's, to more, by an admin", ['admin'], ['admin', READING], [{ permissions: ALL }, true]],
    ['to more than the key that asks', ['owner', MANAGING], ['admin', NOTHING], [{ permissions: ALL }, false]],
    ['to as much as the key that asks', ['owner', MANAGING], ['admin', NOTHING], [{ permissions: MANAGING }, true]],
    ['without end, to more, by one that ends', ['owner', ALL, 1], ['owner', READING], [{ permissions: ALL }, false]],
    ['that ends later, to more', ['owner', ALL, 1], ['owner', READING, 2], [{ permissions: ALL }, false]],
    ['that ends sooner, to more', ['owner', ALL, 2], ['owner', READING, 1], [{ permissions: ALL }, true]],
    ['without end, to less, by one that ends', ['owner', ALL, 1], ['owner', READING], [{ permissions: NOTHING }, true]],
  ])('%s', async (_, asking, [target, permissions, hours], [change, isAllowed]) => {
    const { id } = await keyOf(people[target], permissions!, hours ? inHours(hours) : undefined);
    expectAnswer(await (await askerOf(asking)).patch(`${KEYS}/${id}`, change), isAllowed);
  });
});

describe('a role is given', () => {
  const WRITING = { scope: 'org', grants: ['members.write'] };
  const READS = GRANTS.filter((grant) => grant.endsWith('.read'));
  const grants = [...READS, 'actions.execute', 'members.write'];
  const AS_A_MEMBER = { scope: 'org', grants, approvals: { decide: true } };
  const ROLES: [string, Asking, string, boolean][] = [
    ['by an admin', ['admin'], 'admin', true],
    ['by an admin', ['admin'], 'member', true],
    ['by a key that may all but decide', ['admin', { scope: 'org' }], 'member', false],
    ['by a key that may all but decide', ['admin', { scope: 'org' }], 'admin', false],
    ['by a key that may all', ['admin', ALL], 'admin', true],
    ["by an owner's key that writes members alone", ['owner', WRITING], 'admin', false],
    ["by an owner's key that writes members alone", ['owner', WRITING], 'member', false],
    ["by an owner's key with all that a member may", ['owner', AS_A_MEMBER], 'member', true],
    ["by an owner's key with all that a member may", ['owner', AS_A_MEMBER], 'admin', false],
  ];

  it.each(ROLES)('with an invitation, %s: %j as %s', async (_, asking, role, isAllowed) => {
    const email = `${fresh()}@example.com`;
    expectAnswer(await (await askerOf(asking)).post(`${MEMBERS}/invite`, { email, role }), isAllowed);
  });

  it.each<[string, Asking, [before: 'admin' | 'member', role: string], boolean]>([
    ['a higher one, by an admin', ['admin'], ['member', 'admin'], true],
    ['a higher one, by a key that may all but decide', ['admin', { scope: 'org' }], ['member', 'admin'], false],
    ["a higher one, by an owner's key that writes members alone", ['owner', WRITING], ['member', 'admin'], false],
    ['the highest, by such a key', ['owner', WRITING], ['admin', 'owner'], false],
    ['the highest, by an admin', ['admin'], ['member', 'owner'], false],
    ['the highest, by an owner', ['owner'], ['member', 'owner'], true],
    ['a lower one, by a key that writes members alone', ['owner', WRITING], ['admin', 'member'], true],
  ])('to a member: %s', async (_, asking, [before, role], isAllowed) => {
    const { id } = await personOf(before);
    expectAnswer(await (await askerOf(asking)).patch(`${MEMBERS}/${id}`, { role }), isAllowed);
  });
});

describe('a workspace membership is given', () => {
  const WRITING = { scope: 'org', grants: ['members.write'] };
  it.each<[string, Asking, string, boolean]>([
    ['by an admin', ['admin'], 'admin', true],
    ['by a key that may all', ['admin', ALL], 'admin', true],
    ['by a key that may all but decide', ['admin', { scope: 'org' }], 'member', false],
    ["by an owner's key that writes members alone", ['owner', WRITING], 'member', false],
  ])('%s: %j as %s', async (_, asking, role, isAllowed) => {
    const { body } = await product.api.post('/api/v1/workspaces', { name: 'Handed', slug: fresh() });
    const wanted = { workspaceId: body.workspace.id, memberId: adminId, role };
    const { status } = await (await askerOf(asking)).post('/api/v1/workspace-members', wanted);
    expect(status).toBe(isAllowed ? 201 : 403);
  });

  it('by a key of one workspace, in that workspace', async () => {
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

describe('an invitation holds while its maker may give it', () => {
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
    ['a person whose role stays', 'page', ({ id }) => setRole(id, 'owner'), ACCEPTED],
    ['a person who is removed', 'page', ({ id }) => people.owner.delete(`${MEMBERS}/${id}`), WITHDRAWN],
    ['a person who is demoted', 'page', ({ id }) => setRole(id, 'member'), WITHDRAWN],
    ['a key of one who is removed', 'key', ({ id }) => people.owner.delete(`${MEMBERS}/${id}`), WITHDRAWN],
    ['a key of one who is demoted', 'key', ({ id }) => setRole(id, 'member'), WITHDRAWN],
    ['a key that is revoked', 'key', ({ keyId }) => people.owner.delete(`${KEYS}/${keyId}`), WITHDRAWN],
    ['a person whose key is revoked', 'page', ({ keyId }) => people.owner.delete(`${KEYS}/${keyId}`), ACCEPTED],
    ['a key that no longer decides', 'key', ({ keyId }) => narrow(keyId, { scope: 'org' }), REFUSED],
    ['a key that is narrowed otherwise', 'key', ({ keyId }) => narrow(keyId, READING), REFUSED],
    ['a key that has expired', 'key', ({ keyId }) => expire(keyId), REFUSED],
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

it('never makes an admin an owner by a key of one', async () => {
  const { id } = await keyOf(people.owner, READING);
  expectAnswer(await people.admin.patch(`${KEYS}/${id}`, { permissions: ALL }), false);
  expectAnswer(await people.admin.patch(`${MEMBERS}/${adminId}`, { role: 'owner' }), false);
});
