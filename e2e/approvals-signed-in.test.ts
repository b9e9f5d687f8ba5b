// Shapes: local
import { type Api, apiOf } from './support/api.js';
import { approvalOf, decide, newKey, newPolicy, waiting } from './support/approvals.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { operatorOf } from './support/operator.js';
import { apiOfPage, type Web, webOf } from './support/web.js';
import { newPerson, type Person, signIn } from './support/web-users.js';

/** Approval policies by name. Each matches calls that create an issue with the name of the policy as title. */
const POLICIES = {
  plain: {},
  ofMembers: { approvers: [{ type: 'org_role', roles: ['member'] }] },
  hostedOnly: { approvalAccessMode: 'hosted_link_only' },
  dashboardOnly: { approvalAccessMode: 'dashboard_only' },
};
type Policy = keyof typeof POLICIES | 'ofNamed';

let product: Drawbridge;
let api: Api;
let people: Record<'admin' | 'member' | 'named' | 'stranger', Person>;
/** A signed-in browser for each user. */
let browsers: Record<keyof typeof people, Web>;
let places: Record<Policy, GithubWorkspace>;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  const { orgId, databaseUrl } = product;
  const join = (role: string): Promise<Person> => newPerson(databaseUrl, { orgId, role });
  const [admin, member, named] = [await join('admin'), await join('member'), await join('member')];
  people = { admin, member, named, stranger: await newPerson(databaseUrl) };
  const signedIn = Object.entries(people).map(async ([who, one]) => [who, await signIn(product.baseUrl, one)]);
  browsers = Object.fromEntries(await Promise.all(signedIn));
  const approvers = [{ type: 'dashboard_user', userIds: [named.id.toUpperCase()] }];
  const made = Object.entries({ ...POLICIES, ofNamed: { approvers } }).map(async ([name, policy]) => {
    const place = await githubWorkspace(api);
    await newPolicy(api, { workspaceId: place.workspaceId, ...policy });
    await waiting(api, place.createIssue);
    return [name, place];
  });
  places = Object.fromEntries(await Promise.all(made));
});

const open = async (policy: Policy): Promise<any> =>
  waiting(api, { ...places[policy].createIssue, idempotencyKey: newKey() });

const as = (who: keyof typeof people): Web => browsers[who];

it('redirects a signed-out user to the sign-in and back', async () => {
  const { id } = await open('plain');
  const web = webOf(product.baseUrl);
  const home = `/approvals/${id}`;
  for (const path of [home, `${home}/approve`]) expect((await web.get(path)).to).toBe(`/sign-in?next=${home}`);
  expect((await web.post(`${home}/approve`)).to).toBe(`/sign-in?next=${home}`);
  const { email, password } = people.admin;
  expect((await web.post(`/sign-in?next=${home}`, { email, password })).to).toBe(home);
  expect((await web.get(home)).text).toContain('acme/app');
  expect((await approvalOf(api, id)).status).toBe('pending');
});

it.each<[keyof typeof people, Policy]>([
  ['admin', 'plain'],
  ['admin', 'ofNamed'],
  ['admin', 'dashboardOnly'],
  ['member', 'ofMembers'],
  ['named', 'ofNamed'],
])('lets %s decide what the policy %s asks for, by name: in the record and the audit log', async (who, policy) => {
  const { id } = await open(policy);
  const web = as(who);
  const home = `/approvals/${id}`;
  expect((await web.get(`${home}/reject`)).status).toBe(200);
  expect((await web.post(`${home}/reject`, { reason: 'Not today' })).to).toBe(home);
  const decidedBy = { type: 'user', id: people[who].id };
  expect(await approvalOf(api, id)).toMatchObject({ status: 'rejected', decidedBy, decisionReason: 'Not today' });
  const shown = await as('admin').get(home);
  const name = people[who].email.split('@')[0];
  for (const said of [`Decided by ${name}`, 'Not today', 'acme/app']) expect(shown.text).toContain(said);
  await eventually(async () => {
    const { entries } = (await api.get(`/api/v1/audit-log?resourceId=${id.slice(4)}`)).body;
    const actor = { type: 'user', id: people[who].id };
    expect(entries).toMatchObject([{ action: 'approval.reject', outcome: 'allowed', reason: 'Not today', actor }]);
  });
});

it.each<[keyof typeof people, Policy]>([
  ['member', 'plain'],
  ['member', 'ofNamed'],
])('shows %s what the policy %s asks for, and lets them decide nothing', async (who, policy) => {
  const { id } = await open(policy);
  const web = as(who);
  const home = `/approvals/${id}`;
  const { text } = await web.get(home);
  for (const said of ['acme/app', 'You can see this request but not decide it.']) expect(text).toContain(said);
  expect((await web.get(`${home}/approve`)).to).toBe(home);
  expect((await web.post(`${home}/approve`)).status).toBe(403);
  expect((await approvalOf(api, id)).status).toBe('pending');
});

it.each<[keyof typeof people, Policy, string, string]>([
  ['member', 'ofMembers', 'approve', 'approved'],
  ['named', 'ofNamed', 'reject', 'rejected'],
  ['named', 'ofNamed', 'cancel', 'canceled'],
])('lets %s decide what the policy %s asks for by the API as well: %s', async (who, policy, how, status) => {
  const { id } = await open(policy);
  const decided = await decide(apiOfPage(product.baseUrl, as(who)), id, how);
  const decidedBy = { type: 'user', id: people[who].id };
  expect(decided).toMatchObject({ status: 200, body: { approval: { status, decidedBy } } });
});

it('refuses an API decision of a user that the policy does not name, and of the key of a user that it names', async () => {
  const { id } = await open('ofNamed');
  const wanted = { userEmail: people.named.email, orgId: product.orgId, name: 'Key' };
  const { plainKey } = await operatorOf(product.databaseUrl).createKey(wanted);
  for (const theirs of [apiOfPage(product.baseUrl, as('member')), apiOf(product.baseUrl, plainKey)])
    for (const how of ['approve', 'reject', 'cancel']) expectError(await decide(theirs, id, how), 403, 'FORBIDDEN');
  expect((await approvalOf(api, id)).status).toBe('pending');
});

it.each<[keyof typeof people, Policy, boolean]>([
  ['admin', 'plain', true],
  ['named', 'ofNamed', true],
  ['member', 'ofMembers', true],
  ['member', 'ofNamed', false],
])('shows %s of what the policy %s asks for the hosted link: %s', async (who, policy, isShown) => {
  const { id, hostedApprovalUrl } = await open(policy);
  const theirs = apiOfPage(product.baseUrl, as(who));
  const [listed] = (await theirs.get('/api/v1/approvals?limit=1')).body.approvals;
  const shown = isShown ? hostedApprovalUrl : null;
  expect([listed.id, listed.hostedApprovalUrl]).toEqual([id, shown]);
  expect((await approvalOf(theirs, id)).hostedApprovalUrl).toBe(shown);
});

it('shows another organization nothing', async () => {
  const { id } = await open('ofMembers');
  const web = as('stranger');
  for (const path of ['', '/approve']) {
    const { status, text } = await web.get(`/approvals/${id}${path}`);
    expect({ status, isSaid: text.includes('Approval not found') }).toEqual({ status: 404, isSaid: true });
    expect(text).not.toContain('acme/app');
  }
  expect((await web.post(`/approvals/${id}/approve`)).status).toBe(404);
  expect((await approvalOf(api, id)).status).toBe('pending');
});

it('decides nothing for a form of another site', async () => {
  const { id } = await open('plain');
  const web = as('admin');
  const headers = { origin: 'https://evil.example' };
  expect((await web.post(`/approvals/${id}/approve`, {}, headers)).status).toBe(403);
  expect((await approvalOf(api, id)).status).toBe('pending');
});

it('is refused a second time, and shows the decision and its user', async () => {
  const { id } = await open('plain');
  const web = as('admin');
  await decide(api, id, 'approve', { reason: 'Agreed' });
  const { status, text } = await web.post(`/approvals/${id}/reject`);
  expect(status).toBe(409);
  for (const said of ['A decision was already made', 'Decided by an API key of', 'Agreed'])
    expect(text).toContain(said);
  expect((await approvalOf(api, id)).status).toBe('approved');
});

it('has no signed-in page if only a hosted link can decide', async () => {
  const { id, approvalUrl, hostedApprovalUrl } = await open('hostedOnly');
  expect(approvalUrl).toBeNull();
  expect((await as('admin').get(`/approvals/${id}`)).status).toBe(404);
  const { pathname, search } = new URL(hostedApprovalUrl);
  const web = webOf(product.baseUrl);
  await web.get(pathname + search);
  expect((await web.post(`${pathname}/approve`)).to).toBe(pathname);
  expect(await approvalOf(api, id)).toMatchObject({ status: 'approved', decidedBy: { type: 'hosted_link', id: null } });
});

it.each<[keyof typeof people, object]>([
  ['admin', { type: 'user' }],
  ['member', { type: 'hosted_link', id: null }],
])('takes who came by a link and is signed in as %s for who they may decide as', async (who, decidedBy) => {
  const { id, hostedApprovalUrl } = await open('plain');
  const { pathname, search } = new URL(hostedApprovalUrl);
  const web = as(who);
  expect((await web.get(pathname + search)).to).toBe(pathname);
  expect((await web.post(`${pathname}/reject`)).to).toBe(pathname);
  expect((await approvalOf(api, id)).decidedBy).toMatchObject(decidedBy);
});

it('refuses a decision by a former member of the organization', async () => {
  const { id } = await open('ofNamed');
  const leaver = await newPerson(product.databaseUrl, { orgId: product.orgId, role: 'admin' });
  const web = await signIn(product.baseUrl, leaver);
  expect((await web.get(`/approvals/${id}`)).status).toBe(200);
  await rowsOf(product.databaseUrl, 'DELETE FROM members.members WHERE user_id = $1', [leaver.id]);
  await eventually(async () => expect((await web.get(`/approvals/${id}`)).status).toBe(404));
  expect((await web.post(`/approvals/${id}/approve`)).status).toBe(404);
  expect((await approvalOf(api, id)).status).toBe('pending');
});
