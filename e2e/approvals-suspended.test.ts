// Shapes: none; in full: processes
import { type Answer, type Api } from './support/api.js';
import { approvalOf, decide, newPolicy, waiting } from './support/approvals.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectWithinASecond } from './support/expect-within.js';
import { expectError, UNKNOWN_ID } from './support/expect.js';
import { githubWorkspace } from './support/github.js';
import { type Shown, type Web, webOf } from './support/web.js';
import { newPerson, signIn } from './support/web-users.js';

const SAID = 'its workspace is suspended';

let product: Drawbridge;
let api: Api;
let id: string;
let link: URL;
let workspace: string;
let admin: Web;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  const { workspaceId, createIssue } = await githubWorkspace(api);
  workspace = `/api/v1/workspaces/${workspaceId}`;
  await newPolicy(api, { workspaceId });
  const opened = await waiting(api, createIssue);
  [id, link] = [opened.id, new URL(opened.hostedApprovalUrl)];
  admin = await signIn(product.baseUrl, await newPerson(product.databaseUrl, { orgId: product.orgId, role: 'admin' }));
  expect((await api.post(`${workspace}/suspend`)).status).toBe(200);
});

function expectSuspended(answer: Answer): void {
  expectError(answer, 403, 'FORBIDDEN');
  expect(answer.body.details).toEqual({ reason: 'suspended' });
}

function expectSaid({ text }: Shown): void {
  expect(text).toContain(SAID);
  expect(text).not.toContain('Approve…');
}

it('can be read, and is not decided', async () => {
  await expectWithinASecond(async () =>
    expectSuspended(await api.post(`/api/v1/approvals/${id}/deliveries/${UNKNOWN_ID}/redeliver`)),
  );
  for (const how of ['approve', 'reject', 'cancel']) expectSuspended(await decide(api, id, how));
  expect((await approvalOf(api, id)).status).toBe('pending');
});

it.each<[string, () => Promise<Web>]>([
  ['who is signed in', async () => admin],
  [
    'who has its link',
    async () => {
      const web = webOf(product.baseUrl);
      await web.get(link.pathname + link.search);
      return web;
    },
  ],
])('says so to %s, and lets them decide nothing', async (_who, browser) => {
  const web = await browser();
  const shown = await web.get(link.pathname);
  expect(shown.status).toBe(200);
  expectSaid(shown);
  for (const choice of ['approve', 'reject']) {
    expect((await web.get(`${link.pathname}/${choice}`)).to).toBe(link.pathname);
    const refused = await web.post(`${link.pathname}/${choice}`);
    expect(refused.status).toBe(403);
    expectSaid(refused);
  }
  expect((await approvalOf(api, id)).status).toBe('pending');
});

it('is decided when its workspace is resumed', async () => {
  expect((await api.post(`${workspace}/resume`)).status).toBe(200);
  expect((await admin.get(link.pathname)).text).toContain('Approve…');
  expect((await decide(api, id, 'approve')).status).toBe(200);
});
