// Shapes: local
import { type Answer, type Api } from './support/api.js';
import { fresh } from './support/owned-resources.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { invitationFor, newPerson, type Person } from './support/people.js';
import { type Operations, testsOf } from './support/operation-cases.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const MEMBERS = '/api/v1/members';
const PATH = `${MEMBERS}/invitations`;
const WEEK_MS = 7 * 24 * 3_600_000;

export const OPERATIONS: Operations = {
  ListInvitations: { call: () => ({}) },
  InviteMember: { call: () => ({ body: { email: `${fresh()}@example.com` } }), givesRole: true },
  CancelInvitation: {
    call: async ({ api }) => ({ path: { invitationId: await invitationFor(api, `${fresh()}@example.com`) } }),
    ids: { 'path.invitationId': 'invitationId' },
  },
  // A recipient accepts an invitation of another organization, so a foreign id is valid here. The tests below cover other recipients.
  AcceptInvitation: {
    call: async ({ guest, email }) => ({ path: { invitationId: await invitationFor(guest.api, email) } }),
    ids: { 'path.invitationId': null },
  },
};

let product: Drawbridge;
let api: Api;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  [ann, bob] = await Promise.all([newPerson(product), newPerson(product)]);
});

const invite = (email: string, role?: string): Promise<Answer> => api.post(`${MEMBERS}/invite`, { email, role });
const accept = (id: string, who: Person): Promise<Answer> => who.api.post(`${PATH}/${id}/accept`);
const pending = async (): Promise<string[]> =>
  (await api.get(`${PATH}?limit=100`)).body.invitations.map(({ email }: { email: string }) => email);
/** Makes the invitation expire without waiting a week. */
const expire = (id: string): Promise<unknown> =>
  rowsOf(product.databaseUrl, 'UPDATE members.invitations SET expires_at = now() WHERE id = $1', [id]);

describe('creating an invitation', () => {
  it('returns the whole record, valid for 7 days', async () => {
    const { status, body } = await invite('New@Example.com', 'admin');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        invitation: {
          id: expect.stringMatching(UUID_V7),
          email: 'new@example.com',
          organizationId: product.orgId,
          role: 'admin',
          status: 'pending',
          expiresAt: expect.stringMatching(TIMESTAMP),
          createdAt: expect.stringMatching(TIMESTAMP),
        },
        link: expect.stringMatching(/^http:.*\/sign-up\?invitation=[\w-]{43}$/),
      },
    });
    const { createdAt, expiresAt } = body.invitation;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(WEEK_MS);
    expect((await invite('plain@example.com')).body.invitation.role).toBe('member');
  });

  it('reports every problem of the body', async () => {
    const send = (body: unknown): Promise<Answer> => api.post(`${MEMBERS}/invite`, body);
    expectInvalid(await send({}), 'email');
    expectInvalid(await send({ email: 'unknown' }), 'email');
    expectInvalid(await send({ email: 'a@example.com\r\nBcc: b@example.com' }), 'email');
    expectInvalid(
      await send({ email: `${'x'.repeat(250)}@example.com`, role: 'owner', extra: 1 }),
      'email',
      'extra',
      'role',
    );
  });

  it('refuses an email that is already invited or a member, in any spelling', async () => {
    await invite('twice@example.com');
    expectError(await invite(' TWICE@example.com '), 409, 'DUPLICATE');
    const [owner] = (await api.get(MEMBERS)).body.members;
    expectError(await invite(owner.userEmail.toUpperCase()), 409, 'DUPLICATE');
  });

  it('invites an email again after its invitation was canceled or has expired', async () => {
    const { invitation } = (await invite('again@example.com')).body;
    await api.delete(`${PATH}/${invitation.id}`);
    const second = (await invite('again@example.com')).body.invitation;
    await expire(second.id);
    expect((await invite('again@example.com')).status).toBe(200);
    expect((await pending()).filter((email) => email === 'again@example.com')).toHaveLength(1);
  });

  it('succeeds for one of 20 racing requests for an email and answers DUPLICATE to the others', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => invite('race@example.com')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 409, 'DUPLICATE');
  });
});

describe('listing and canceling invitations', () => {
  it('lists the pending ones, newest first, in pages', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) ids.unshift((await invite(`list-${name}@example.com`)).body.invitation.id);
    await expire(ids[1]!);
    const first = (await api.get(`${PATH}?limit=2`)).body;
    expect(first).toEqual({
      invitations: [expect.objectContaining({ id: ids[0] }), expect.objectContaining({ id: ids[2] })],
    });
    expect((await api.get(`${PATH}?limit=1&offset=2`)).body.invitations).toMatchObject([
      { id: ids[3], status: 'pending' },
    ]);
    expectInvalid(await api.get(`${PATH}?limit=101&offset=-1`), 'limit', 'offset');
  });

  it('cancels a pending one, once', async () => {
    const { id } = (await invite('cancel@example.com')).body.invitation;
    const { status, body } = await api.delete(`${PATH}/${id}`);
    expect({ status, body }).toEqual({ status: 200, body: { deleted: true, id } });
    expectError(await api.delete(`${PATH}/${id}`), 404, 'NOT_FOUND');
    expectError(await api.delete(`${PATH}/${UNKNOWN_ID}`), 404, 'NOT_FOUND');
    expect(await pending()).not.toContain('cancel@example.com');
  });

  it('does not affect those of another organization', async () => {
    const id = await invitationFor(product.other, 'theirs@example.com');
    expectError(await api.delete(`${PATH}/${id}`), 404, 'NOT_FOUND');
    expect((await product.other.delete(`${PATH}/${id}`)).status).toBe(200);
  });
});

describe('accepting an invitation', () => {
  it('creates a member with the role for the invited email, by a key of any organization', async () => {
    const { id } = (await invite(ann.email.toUpperCase(), 'admin')).body.invitation;
    const { status, body } = await accept(id, ann);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { member: { organizationId: product.orgId, userId: ann.userId, userEmail: ann.email, role: 'admin' } },
    });
    expect((await api.get(MEMBERS)).body.members).toContainEqual(body.member);
    expect(await pending()).not.toContain(ann.email);
    expectError(await accept(id, ann), 404, 'NOT_FOUND');
    expectError(await invite(ann.email), 409, 'DUPLICATE');
  });

  it('is refused to another user', async () => {
    const id = await invitationFor(api, ann.email);
    expectError(await accept(id, bob), 403, 'FORBIDDEN');
    expectError(await api.post(`${PATH}/${id}/accept`), 403, 'FORBIDDEN');
    expect(await pending()).toContain(ann.email);
    expect((await accept(id, ann)).status).toBe(200);
  });

  it('answers 404 for one that is unknown, canceled or accepted', async () => {
    expectError(await accept(UNKNOWN_ID, ann), 404, 'NOT_FOUND');
    expectInvalid(await accept('none', ann), 'invitationId');
    const id = await invitationFor(api, ann.email);
    await api.delete(`${PATH}/${id}`);
    expectError(await accept(id, ann), 404, 'NOT_FOUND');
  });

  it('answers EXPIRED after 7 days', async () => {
    const id = await invitationFor(api, ann.email);
    await expire(id);
    expectError(await accept(id, ann), 400, 'EXPIRED');
    await invite(ann.email); // the new invitation sets the status of the old invitation to expired
    expectError(await accept(id, ann), 400, 'EXPIRED');
    expectError(await accept(id, bob), 403, 'FORBIDDEN');
  });

  it('answers DUPLICATE to a user who is already a member', async () => {
    const id = await invitationFor(api, ann.email);
    const sql = `INSERT INTO members.members (id, org_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, 'member')`;
    await rowsOf(product.databaseUrl, sql, [product.orgId, ann.userId]);
    expectError(await accept(id, ann), 409, 'DUPLICATE');
  });

  it('succeeds once in 20 racing attempts, and never together with a cancellation', async () => {
    const id = await invitationFor(api, bob.email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(id, bob)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 404, 'NOT_FOUND');

    for (let round = 0; round < 5; round++) {
      const next = await invitationFor(api, bob.email);
      const both = await Promise.all([accept(next, bob), api.delete(`${PATH}/${next}`)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    }
  });
});
