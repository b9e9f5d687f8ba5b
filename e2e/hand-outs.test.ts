// Shapes: local
import { type Answer, type Api, apiOf } from './support/api.js';
import { drawbridge, type Drawbridge } from './support/drawbridge.js';
import { fresh } from './support/owned-resources.js';
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

/** A person in a browser, and who they are as a member. */
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

/** Whoever asks: a person, or a key of one. */
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
  const ROLES: [string, Asking, string, boolean][] = [
    ['by an admin', ['admin'], 'admin', true],
    ['by an admin', ['admin'], 'member', true],
    ['by a key that may all but decide', ['admin', { scope: 'org' }], 'member', true],
    ['by a key that may all but decide', ['admin', { scope: 'org' }], 'admin', false],
    ['by a key that may all', ['admin', ALL], 'admin', true],
    ["by an owner's key that writes members alone", ['owner', WRITING], 'admin', false],
    ["by an owner's key that writes members alone", ['owner', WRITING], 'member', true],
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

it('never makes an admin an owner by a key of one', async () => {
  const { id } = await keyOf(people.owner, READING);
  expectAnswer(await people.admin.patch(`${KEYS}/${id}`, { permissions: ALL }), false);
  expectAnswer(await people.admin.patch(`${MEMBERS}/${adminId}`, { role: 'owner' }), false);
});
