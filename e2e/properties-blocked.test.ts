// Shapes: local
import { type Answer } from './support/api.js';
import { newPolicy } from './support/approvals.js';
import { type AskedProduct, askedProduct } from './support/asked-product.js';
import { expectError } from './support/expect.js';
import { expectWithinASecond } from './support/expect-within.js';

let its: AskedProduct;

beforeAll(async () => {
  its = await askedProduct();
});
afterAll(() => its?.stop());
beforeEach(() => {
  its.thirdParty.reset();
  its.thirdParty.on('GET /people', { body: { people: [] } });
  its.thirdParty.on('GET /columns', { body: [] });
});

/** Requests options from the provider through every endpoint. */
async function asks(changes: object = {}): Promise<Answer[]> {
  const connectionId = its.connectionId;
  const piece = (path: string, propertyName: string): Promise<Answer> =>
    its.api.post(`/api/v1/pieces/asked/properties/${path}`, { propertyName, connectionId });
  return Promise.all([
    its.options('people', changes),
    its.properties('fields', changes),
    its.options('people', { connectionExternalId: 'named', ...changes }),
    piece('options', 'people'),
    piece('resolve', 'fields'),
  ]);
}

async function withPolicy(fields: object, work: (policy: any) => Promise<void>): Promise<void> {
  const policy = await newPolicy(its.api, { workspaceId: its.workspaceId, ...fields });
  await work(policy);
  expect((await its.api.delete(`/api/v1/approval-policies/${policy.id}`)).status).toBe(200);
}

it('a blocked lookup sends the provider nothing, through any endpoint', async () => {
  await its.connect('of-this-workspace', { externalId: 'named', scope: 'WORKSPACE' });
  await withPolicy({ decision: 'block', integrationNames: ['asked'] }, async ({ id }) => {
    await expectWithinASecond(async () => expectError(await its.options('people'), 403, 'FORBIDDEN'));
    its.thirdParty.reset();
    for (const answer of await asks()) {
      expectError(answer, 403, 'FORBIDDEN');
      expect(answer.body.details.policyId).toBe(id);
    }
    const ofTrigger = { actionName: undefined, triggerName: 'posted', input: { team: 'red' } };
    expectError(await its.options('channel', ofTrigger), 403, 'FORBIDDEN');
    expect(its.thirdParty.requests).toEqual([]);
    expect((await its.options('kind')).status).toBe(200); // static options need no call to the provider
  });
});

it('a lookup is evaluated as its action with the current input', async () => {
  const rules = { domainDenylist: ['evil.example'] };
  await withPolicy({ decision: 'block', actionNames: ['post'], rules }, async () => {
    const evil = { input: { text: 'https://evil.example/' } };
    await expectWithinASecond(async () => expectError(await its.options('people', evil), 403, 'FORBIDDEN'));
    expect((await its.options('people')).status).toBe(200);
  });
});

it('a lookup does not follow a redirect to a blocked host', async () => {
  its.thirdParty.on('GET /people', { status: 302, headers: { location: 'https://evil.example/people' } });
  const rules = { domainDenylist: ['evil.example'] };
  await withPolicy({ decision: 'block', rules }, async () => {
    await expectWithinASecond(async () => {
      const { body } = await its.options('people');
      expect(body.details.provider).toMatchObject({ code: 'REDIRECT_BLOCKED' });
    });
  });
});

it("a lookup with an end user's connection is evaluated for that end user", async () => {
  const connectionId = await its.connect('of-ann', { scope: 'USER', endUserId: 'ann' });
  const ask = (id: string): Promise<Answer> =>
    its.api.post('/api/v1/pieces/asked/properties/options', { propertyName: 'people', connectionId: id });
  await withPolicy({ decision: 'block', endUserMode: 'end_user_present' }, async () => {
    await expectWithinASecond(async () => expectError(await ask(connectionId), 403, 'FORBIDDEN'));
    expect((await ask(its.connectionId)).status).toBe(200);
  });
});

it('a lookup is answered where the policy only requires approval of the action', async () => {
  for (const decision of ['require_approval', 'notify_only'])
    await withPolicy({ decision }, async () => {
      const answers = await asks();
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    });
});
