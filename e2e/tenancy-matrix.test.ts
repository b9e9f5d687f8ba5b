// Shapes: none; in full: local
import { GRANTS, isReading } from '@drawbridge/contracts';
import { type FakeProvider } from '@drawbridge/testkit';
import { type Access, accessOf } from './support/access.js';
import { type Api, apiOf, misspelt } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { EVERY_OPERATION } from './support/every-operation.js';
import { expectAnswered } from './support/expect-answered.js';
import { expectUnchanged, shortOf } from './support/expect-unchanged.js';
import { callOperation, type Call, type Operation, operationsOf, withValue } from './support/operations.js';
import { operatorOf } from './support/operator.js';
import { fresh, type OwnedResources, ownedResources } from './support/owned-resources.js';
import { join, newPerson } from './support/people.js';
import { provider } from './support/provider.js';
import { WORKSPACE_FIELDS } from './support/workspace-fields.js';

const OPERATIONS = Object.keys(EVERY_OPERATION);
const KEYS = '/api/v1/api-keys';

let product: Drawbridge;
let github: FakeProvider;
let operations: Operation[];
let mine: OwnedResources;
let neighbour: OwnedResources;
/** A key that is limited to an empty workspace. */
let elsewhere: Api;
let anonymous: (readonly [name: string, api: Api])[];

beforeAll(async () => {
  product = await drawbridge();
  github = await provider();
  operations = await operationsOf(product.api);
  mine = await ownedResources(product.api, await newPerson(product));
  neighbour = await ownedResources(product.api, await newPerson(product));
  const { workspace } = (await product.api.post('/api/v1/workspaces', { name: 'Empty', slug: fresh() })).body;
  elsewhere = (await keyWith({ ...inWorkspaces(workspace.id), ...DECIDING })).api;
  anonymous = await Promise.all(ANONYMOUS.map(async ([name, of]) => [name, await of()] as const));
});
afterAll(() => github.stop());

const operationOf = (id: string): Operation => operations.find((one) => one.id === id)!;
const goodCall = async (id: string, own = mine): Promise<Call> => EVERY_OPERATION[id]!.call(own);

async function keyWith(permissions: object): Promise<{ id: string; plainKey: string; api: Api }> {
  const { status, body } = await product.api.post(KEYS, { name: fresh(), permissions });
  expect({ status, body }).toMatchObject({ status: 201 });
  return { id: body.apiKey.id, plainKey: body.plainKey, api: apiOf(product.baseUrl, body.plainKey) };
}

const inWorkspaces = (...workspaceIds: string[]): object => ({ scope: 'workspace', workspaceIds });

/** Every caller without valid credentials. If you add a sign-in method, add a caller with an expired sign-in. */
const ANONYMOUS: [string, () => Promise<Api>][] = [
  ['no key', async () => apiOf(product.baseUrl)],
  ['an unknown key', async () => apiOf(product.baseUrl, misspelt(product.key))],
  [
    'a revoked key',
    async () => {
      const { id, api } = await keyWith({ scope: 'org' });
      await product.api.delete(`${KEYS}/${id}`);
      return api;
    },
  ],
  [
    'an expired key',
    async () => {
      const { id, api } = await keyWith({ scope: 'org' });
      await rowsOf(product.databaseUrl, `UPDATE members.api_keys SET expires_at = now() WHERE id = $1`, [id]);
      return api;
    },
  ],
  [
    'the key of a removed member',
    async () => {
      const person = await newPerson(product);
      const memberId = await join(product.api, person);
      const wanted = { userEmail: person.email, orgId: product.orgId, name: 'Key' };
      const made = await operatorOf(product.databaseUrl).createKey(wanted);
      await product.api.delete(`/api/v1/members/${memberId}`);
      return apiOf(product.baseUrl, made.plainKey);
    },
  ],
];

const [NONE, DECIDING] = [{}, { approvals: { decide: true } }];

/**
 * Returns the permissions that an operation needs in addition to its grant. Only a key that can decide approvals can assign a role, because a policy
 * can let each role decide approvals.
 */
const besideOf = (id: string): object =>
  accessOf(id).grant === 'approvals.decide' || EVERY_OPERATION[id]?.givesRole ? DECIDING : NONE;

/** Returns all grants except this grant and the grants that include it. */
const allBut = (grant: Access['grant']): object => ({
  scope: 'org',
  grants: GRANTS.filter((one) => one !== grant && !(isReading(grant) && one === `${grant.split('.')[0]}.write`)),
  ...(grant === 'approvals.decide' ? NONE : DECIDING),
});

async function unchanged(id: string, ask: (call: Call) => Promise<void>): Promise<void> {
  const call = await goodCall(id);
  await expectUnchanged({ owners: [product.api], github }, () => ask(call));
}

describe.each(OPERATIONS)('%s', (id) => {
  const { grant, workspace, row } = accessOf(id);
  const isTenants = grant !== 'none';
  const isForOrganization = !workspace && !row;

  it('accepts a key with only its grant', async () => {
    const { alsoNeeds, givesRole = false } = EVERY_OPERATION[id]!;
    const grants = GRANTS.filter((one) => givesRole || one === grant || one === alsoNeeds);
    const { api } = await keyWith({ scope: 'org', grants, ...besideOf(id) });
    expectAnswered(id, await callOperation(api, operationOf(id), await goodCall(id)));
  });

  it('refuses callers without credentials, with every other grant, and of another organization', async () => {
    const isHeld = grant !== 'none' && grant !== 'any';
    const keyOfOthers = isHeld && (await keyWith(allBut(grant)));
    await unchanged(id, async (call) => {
      const ask = (api: Api) => callOperation(api, operationOf(id), call);
      for (const [name, api] of anonymous)
        expect([name, shortOf(await ask(api))]).toEqual([name, isTenants ? '401 UNAUTHENTICATED' : '200']);
      if (keyOfOthers) expect(shortOf(await ask(keyOfOthers.api))).toBe('403 FORBIDDEN');

      const answer = await ask(product.other);
      const names = operationOf(id).idPositions.filter((position) => valueAt(call, position) !== undefined);
      if (isTenants && names.length > 0) expect([400, 403, 404]).toContain(answer.status);
      for (const secret of [mine.connectionId, mine.executionId, mine.keyId])
        if (!JSON.stringify(call).includes(secret)) expect(JSON.stringify(answer.body ?? '')).not.toContain(secret);
    });
  });

  it('accepts a key of its workspace, and refuses one of another', async () => {
    if (!isTenants) return;
    const good = await goodCall(id);
    const { body } = await product.api.get('/api/v1/workspaces?limit=100&includeSuspended=true');
    const everywhere = inWorkspaces(...body.workspaces.map((one: { id: string }) => one.id));
    const all = await keyWith({ ...everywhere, ...besideOf(id) });
    const isOpen = !isForOrganization || isReading(grant);
    const inside = await callOperation(all.api, operationOf(id), good);
    if (isOpen) expectAnswered(id, inside);
    else expect(shortOf(inside)).toBe('403 SCOPE_DENIED');

    const isList = row && operationOf(id).idPositions.length === 0 && !operationOf(id).path.includes('{');
    if ((isForOrganization && isReading(grant)) || isList) {
      const outside = await callOperation(elsewhere, operationOf(id), await goodCall(id));
      expect(outside.status).toBeLessThan(300);
      if (isList) expect(JSON.stringify(outside.body)).not.toContain(mine.workspaceId);
      return;
    }
    await unchanged(id, async (call) => {
      expect(shortOf(await callOperation(elsewhere, operationOf(id), call))).toBe('403 SCOPE_DENIED');
    });
  });
});

/** The fields that contain ids, with the kind of resource, such as `DeleteConnection`, `path.id`, `connectionId`. */
const PLACES = OPERATIONS.flatMap((id) => {
  const field = WORKSPACE_FIELDS[id];
  const { ids = {} } = EVERY_OPERATION[id]!;
  const named = Object.entries(ids).flatMap(([place, owned]) => (owned ? [[id, place, owned] as const] : []));
  return field ? [[id, `.${field}`, 'workspaceId'] as const, ...named] : named;
});

/** Resources that are looked up within a workspace. A foreign id of such a resource can cause other errors than SCOPE_DENIED. */
const WITHIN = ['integrationId', 'mcpToolId'];

describe('a workspace-scoped key', () => {
  let key: Api;
  beforeAll(async () => {
    key = (await keyWith(inWorkspaces(mine.workspaceId))).api;
  });

  it.each(PLACES)("cannot access a neighbour's resource by %s %s", async (id, place, owned) => {
    const operation = operationOf(id);
    const position = operation.idPositions.find((one) => one.endsWith(place)) ?? place;
    const { grant, workspace, row } = accessOf(id);
    await unchanged(id, async (call) => {
      const answer = await callOperation(key, operation, withValue(call, position, neighbour[owned]));
      if (WITHIN.includes(owned)) expect([400, 403, 404]).toContain(answer.status);
      else if (!workspace && !row && isReading(grant)) expect(answer.status).toBeLessThan(300);
      else expect(shortOf(answer)).toBe('403 SCOPE_DENIED');
    });
  });
});

function valueAt(call: Call, position: string): unknown {
  const [part, name] = position.split('.') as [keyof Call, string];
  return call[part]?.[name];
}
