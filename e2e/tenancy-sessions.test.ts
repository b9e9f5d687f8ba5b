// Shapes: none; in full: local
import { isReading } from '@drawbridge/contracts';
import { type FakeProvider } from '@drawbridge/testkit';
import { accessOf } from './support/access.js';
import { type Answer, type Api, apiOf } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { EVERY_OPERATION } from './support/every-operation.js';
import { expectAnswered } from './support/expect-answered.js';
import { expectUnchanged, shortOf } from './support/expect-unchanged.js';
import { expectWithinASecond } from './support/expect-within.js';
import { callOperation, type Operation, operationsOf } from './support/operations.js';
import { type OwnedResources, ownedResources } from './support/owned-resources.js';
import { invitationFor, newPerson } from './support/people.js';
import { provider } from './support/provider.js';
import { newPerson as newWebUser, signIn } from './support/web-users.js';
import { apiOfPage } from './support/web.js';

let product: Drawbridge;
let github: FakeProvider;
let operations: Operation[];
let mine: OwnedResources;
let admin: Session;
let member: Session;
let ended: [why: string, api: Api][];

beforeAll(async () => {
  product = await drawbridge();
  github = await provider();
  operations = await operationsOf(product.api);
  mine = await ownedResources(product.api, await newPerson(product));
  admin = await signedIn('admin');
  member = await signedIn('member');
  ended = [
    ['removed', await endedBy(({ memberId }) => product.api.delete(`/api/v1/members/${memberId}`))],
    ['signed out', await endedBy(({ signOut }) => signOut())],
  ];
});
afterAll(() => github.stop());

interface Session {
  api: Api;
  email: string;
  memberId: string;
  signOut(): Promise<unknown>;
}

/** Signs in a user with a role in this organization. */
async function signedIn(role: string): Promise<Session> {
  const person = await newWebUser(product.databaseUrl, { orgId: product.orgId, role });
  const web = await signIn(product.baseUrl, person);
  const { members } = (await product.api.get('/api/v1/members?limit=100')).body;
  const { id } = members.find((one: { userEmail: string }) => one.userEmail === person.email);
  const signOut = (): Promise<unknown> => web.post('/sign-out');
  return { api: apiOfPage(product.baseUrl, web), email: person.email, memberId: id, signOut };
}

async function endedBy(end: (session: Session) => Promise<unknown>): Promise<Api> {
  const session = await signedIn('admin');
  await end(session);
  await expectWithinASecond(async () => expect((await session.api.get('/api/v1/workspaces')).status).toBe(401));
  return session.api;
}

describe.each(Object.keys(EVERY_OPERATION))('%s', (id) => {
  const { grant } = accessOf(id);
  const answerTo = async (api: Api, own: OwnedResources): Promise<Answer> => {
    const operation = operations.find((one) => one.id === id)!;
    return callOperation(api, operation, await EVERY_OPERATION[id]!.call(own));
  };
  const isMembers = isReading(grant) || grant === 'actions.execute';

  it('accepts the session of an admin, and of a member if it reads or executes', async () => {
    for (const { api, email } of isMembers ? [admin, member] : [admin])
      expectAnswered(id, await answerTo(api, { ...mine, email }));
  });

  it('refuses the session of a member if it writes, and each ended session', async () => {
    const operation = operations.find((one) => one.id === id)!;
    const call = await EVERY_OPERATION[id]!.call(mine);
    await expectUnchanged({ owners: [product.api], github }, async () => {
      const ask = async (api: Api) => shortOf(await callOperation(api, operation, call));
      if (!isMembers) expect(await ask(member.api)).toBe('403 FORBIDDEN');
      for (const [why, api] of ended)
        expect([why, await ask(api)]).toEqual([why, grant === 'none' ? '200' : '401 UNAUTHENTICATED']);
    });
  });
});

it('an invitation can be accepted only by its recipient, whatever access others have in either organization', async () => {
  const invited = await newPerson(product);
  const { guest, workspaceId } = mine;
  const path = `/api/v1/members/invitations/${await invitationFor(guest.api, invited.email)}/accept`;
  const permissions = { scope: 'workspace', workspaceIds: [workspaceId] };
  const { plainKey } = (await product.api.post('/api/v1/api-keys', { name: 'Narrow', permissions })).body;
  const others: Record<string, Api> = {
    'its own organization': guest.api,
    'another organization': product.other,
    'a key of a workspace': apiOf(product.baseUrl, plainKey),
    "an admin's session": admin.api,
    "a member's session": member.api,
  };
  await expectUnchanged({ owners: [guest.api, product.api, product.other], github }, async () => {
    for (const [who, api] of Object.entries(others))
      expect([who, shortOf(await api.post(path))]).toEqual([who, '403 FORBIDDEN']);
    expect(shortOf(await ended[0]![1].post(path))).toBe('401 UNAUTHENTICATED');
  });
  expect(shortOf(await invited.api.post(path))).toBe('200');
});

it('removing a user from one organization ends no session of another', async () => {
  const person = await newWebUser(product.databaseUrl);
  const web = await signIn(product.baseUrl, person); // signed in to the user's own organization
  const there = await newPerson(product);
  const invitation = await invitationFor(there.api, person.email);
  const page = apiOfPage(product.baseUrl, web);
  const { member: joined } = (await page.post(`/api/v1/members/invitations/${invitation}/accept`)).body;
  expect((await there.api.delete(`/api/v1/members/${joined.id}`)).status).toBe(200);
  expect((await page.get('/api/v1/organization')).body.organization.id).toBe(person.orgId);
});
