// Shapes: none; in full: processes
import { type Product } from '@drawbridge/testkit';
import { type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { expectError, expectInvalid } from './support/expect.js';
import { operatorOf } from './support/operator.js';
import { type NewOrganization, newOrganization } from './support/organizations.js';
import { ownProduct } from './support/own-product.js';
import { invitationFor, join, newPerson, type Person } from './support/people.js';

const PATH = '/api/v1/members';
/** The member limit of the plan `team`. */
const SEATS = 25;

let product: Product;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  product = await ownProduct({ replicas: { gateway: 2, members: 2 } });
  [ann, bob] = await Promise.all([newPerson(product), newPerson(product)]);
});
afterAll(() => product?.stop());

/** Returns a function that rotates through the gateways with the same key. */
function inTurn(plainKey: string): () => Api {
  const gateways = product.baseUrls.map((url) => apiOf(url, plainKey));
  let turn = 0;
  return () => gateways[turn++ % gateways.length]!;
}

it('of two owners who demote each other concurrently, one stays', async () => {
  const { plainKey, organization } = await newOrganization(product.databaseUrl);
  const gateway = inTurn(plainKey);
  const ids = [await join(gateway(), ann), await join(gateway(), bob)];
  const [owner] = (await gateway().get(`${PATH}?limit=100`)).body.members.slice(-1);
  for (const id of ids) await gateway().patch(`${PATH}/${id}`, { role: 'owner' });
  const wanted = { userEmail: ann.email, orgId: organization.id, name: 'Ann' };
  const { apiKey, plainKey: anns } = await operatorOf(product.databaseUrl).createKey(wanted);
  await gateway().patch(`/api/v1/api-keys/${apiKey.id}`, {
    permissions: { scope: 'org', approvals: { decide: true } },
  });
  const annsGateway = inTurn(anns);
  expect((await annsGateway().patch(`${PATH}/${owner.id}`, { role: 'admin' })).status).toBe(200);

  for (let round = 0; round < 10; round++) {
    const roles = ids.map((id) => annsGateway().patch(`${PATH}/${id}`, { role: 'admin' }));
    const statuses = (await Promise.all(roles)).map(({ status }) => status);
    const { members } = (await annsGateway().get(PATH)).body;
    const owners = members.filter(({ role }: { role: string }) => role === 'owner');
    expect({ round, statuses, owners: owners.length }).toMatchObject({ owners: 1 });
    if (owners[0].id !== ids[0]) break; // Ann is no longer an owner, so she cannot appoint an owner
    expect((await annsGateway().patch(`${PATH}/${ids[1]}`, { role: 'owner' })).status).toBe(200);
  }
});

it('no key that a member creates during their removal stays valid, at two gateways', async () => {
  const { plainKey, organization } = await newOrganization(product.databaseUrl);
  const gateway = inTurn(plainKey);
  for (let round = 0; round < 5; round++) {
    const id = await join(gateway(), ann);
    await gateway().patch(`${PATH}/${id}`, { role: 'admin' });
    const wanted = { userEmail: ann.email, orgId: organization.id, name: 'Ann' };
    const anns = inTurn((await operatorOf(product.databaseUrl).createKey(wanted)).plainKey);
    const making = Array.from({ length: 10 }, () => anns().post('/api/v1/api-keys', { name: 'Made meanwhile' }));
    await gateway().delete(`${PATH}/${id}`);
    await Promise.all(making);
    const sql = 'SELECT FROM members.api_keys WHERE org_id = $1 AND user_id = $2 AND revoked_at IS NULL';
    expect(await rowsOf(product.databaseUrl, sql, [organization.id, ann.userId])).toEqual([]);
  }
});

it('no invitation of a member can be accepted after their removal, at two gateways', async () => {
  const { plainKey, organization } = await newOrganization(product.databaseUrl);
  const gateway = inTurn(plainKey);
  const guests = await Promise.all(Array.from({ length: 4 }, () => newPerson(product)));
  for (let round = 0; round < 3; round++) {
    const id = await join(gateway(), ann);
    await gateway().patch(`${PATH}/${id}`, { role: 'admin' });
    const wanted = { userEmail: ann.email, orgId: organization.id, name: 'Ann' };
    const { apiKey, plainKey: anns } = await operatorOf(product.databaseUrl).createKey(wanted);
    await gateway().patch(`/api/v1/api-keys/${apiKey.id}`, {
      permissions: { scope: 'org', approvals: { decide: true } },
    });
    const ids = await Promise.all(guests.map(({ email }) => invitationFor(apiOf(product.baseUrls[0]!, anns), email)));
    const accept = (guest: Person, at: number) => guest.api.post(`${PATH}/invitations/${ids[at]}/accept`);
    const accepting = guests.map(accept);
    expect((await gateway().delete(`${PATH}/${id}`)).status).toBe(200);
    const late = (await Promise.all(guests.map(accept))).map(({ status }) => status);
    const statuses = (await Promise.all(accepting)).map(({ status }) => status);
    expect({ late, statuses }).toEqual({ late: [404, 404, 404, 404], statuses: statuses.map(acceptedOrGone) });
    const sql = 'SELECT status, count(*)::int FROM members.invitations WHERE id = ANY ($1::uuid[]) GROUP BY status';
    const counted = (await rowsOf(product.databaseUrl, sql, [ids])) as { status: string; count: number }[];
    const accepted = statuses.filter((status) => status === 200).length;
    const expected = { accepted, canceled: guests.length - accepted };
    const found = Object.fromEntries(counted.map(({ status, count }) => [status, count]));
    expect({ accepted: 0, canceled: 0, ...found }).toEqual(expected);
  }
});

const acceptedOrGone = (status: number): number => (status === 200 ? 200 : 404);

it('exactly the seats of the plan are assigned among 50 requests too many', async () => {
  const { plainKey }: NewOrganization = await newOrganization(product.databaseUrl, 'team');
  const gateway = inTurn(plainKey);
  const emails = Array.from({ length: SEATS - 1 + 50 }, (_, n) => `seat-${n}@example.com`);
  const answers = await Promise.all(emails.map((email) => gateway().post(`${PATH}/invite`, { email })));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(answers.length - refused.length).toBe(SEATS - 1);
  for (const answer of refused) expectError(answer, 403, 'QUOTA_EXCEEDED');
  expect(refused[0]!.body.details).toEqual({ limit: SEATS, used: SEATS });

  const [invitation] = (await gateway().get(`${PATH}/invitations`)).body.invitations;
  await gateway().delete(`${PATH}/invitations/${invitation.id}`);
  await expect(join(gateway(), ann)).resolves.toBeDefined();
  expectError(await gateway().post(`${PATH}/invite`, { email: 'more@example.com' }), 403, 'QUOTA_EXCEEDED');
  expectInvalid(await gateway().post(`${PATH}/invite`, { email: 'more' }), 'email');
});

it('one of 20 racing invitations of an email succeeds, and one of 20 acceptances, at two gateways', async () => {
  const { plainKey } = await newOrganization(product.databaseUrl);
  const gateway = inTurn(plainKey);
  const twenty = <T>(ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 20 }, ask));
  const invited = await twenty(() => gateway().post(`${PATH}/invite`, { email: bob.email }));
  const won = invited.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  for (const answer of invited.filter((one) => one !== won[0])) expectError(answer, 409, 'DUPLICATE');

  const { id } = won[0]!.body.invitation;
  const accepted = await twenty(() => bob.api.post(`${PATH}/invitations/${id}/accept`));
  expect(accepted.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of accepted.filter(({ status }) => status !== 200)) expectError(answer, 404, 'NOT_FOUND');
});
