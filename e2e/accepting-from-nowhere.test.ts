// Shapes: local; in full: processes
import { type Answer, type Api, apiWith } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError } from './support/expect.js';
import { expectWithinASecond } from './support/expect-within.js';
import { operatorOf } from './support/operator.js';
import { fresh } from './support/owned-resources.js';
import { invitationFor } from './support/people.js';
import { signIn } from './support/web-users.js';

const MEMBERS = '/api/v1/members';

let product: Drawbridge;
beforeAll(async () => {
  product = await drawbridge();
});

/** Signs in a user without an organization. Returns the API as called from Drawbridge's pages and from pages of another site. */
async function nowhere(): Promise<{ email: string; api: Api; elsewhere: Api }> {
  const [email, password] = [`${fresh()}@example.com`, 'correct horse battery'];
  const { user } = await operatorOf(product.databaseUrl).createUser({ email, password });
  const { cookies } = await signIn(product.baseUrl, { id: user.id, email, password, orgId: '' });
  const cookie = `session=${cookies.get('session')}`;
  const from = (origin: string): Api => apiWith(product.baseUrl, { cookie, origin });
  return { email, api: from(product.baseUrl), elsewhere: from('https://evil.example') };
}

const accept = (by: Api, id: string): Promise<Answer> => by.post(`${MEMBERS}/invitations/${id}/accept`);

describe('a signed-in user without an organization', () => {
  it('accepts an invitation and then acts in that organization', async () => {
    const { email, api } = await nowhere();
    const { status, body } = await accept(api, await invitationFor(product.api, email));
    const member = { organizationId: product.orgId, userEmail: email, role: 'member' };
    expect({ status, body }).toMatchObject({ status: 200, body: { member } });
    await expectWithinASecond(async () => expect((await api.get(MEMBERS)).status).toBe(200));
  });

  it("cannot accept another user's invitation, nor accept one from another site", async () => {
    const { email, api, elsewhere } = await nowhere();
    const [own, others] = [email, `${fresh()}@example.com`];
    expectError(await accept(api, await invitationFor(product.api, others)), 403, 'FORBIDDEN');
    expectError(await accept(elsewhere, await invitationFor(product.api, own)), 403, 'FORBIDDEN');
    const { invitations } = (await product.api.get(`${MEMBERS}/invitations`)).body;
    const emails = invitations.map((one: { email: string }) => one.email);
    expect(emails).toEqual(expect.arrayContaining([own, others]));
  });

  it.each(['/api/v1/organization', MEMBERS, '/api/v1/workspaces', '/api/v1/integrations'])(
    'reads only what is public: %s',
    async (path) => {
      const { api } = await nowhere();
      const answer = await api.get(path);
      if (path.endsWith('integrations')) expect(answer.status).toBe(200);
      else expectError(answer, 401, 'UNAUTHENTICATED');
    },
  );
});
