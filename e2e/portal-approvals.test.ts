// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Api } from './support/api.js';
import { approvalOf, decide, eventsOf, newKey, newPolicy, waiting } from './support/approvals.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { type PortalPerson, portalPerson } from './support/portal-person.js';
import { provider } from './support/provider.js';
import { webOf } from './support/web.js';

const SAID = 'Waiting for your approval';
const THEIRS = { approvers: [{ type: 'end_user' }] };
const COMMENT = { actionName: 'comment', input: { repo: 'acme/app', issue_number: 1, body: 'x' } };

let product: Drawbridge;
let api: Api;
let github: FakeProvider;
let own: GithubWorkspace;
/** A workspace with policies that do not include end users as approvers. */
let silent: GithubWorkspace;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  github = await provider();
  own = await githubWorkspace(api);
  silent = await githubWorkspace(api);
  await newPolicy(api, { workspaceId: own.workspaceId, actionNames: ['create_issue'], ...THEIRS });
  const dashboardOnly = { actionNames: ['comment'], approvalAccessMode: 'dashboard_only' };
  await newPolicy(api, { workspaceId: own.workspaceId, ...dashboardOnly, ...THEIRS });
  await newPolicy(api, { workspaceId: silent.workspaceId });
  await waiting(api, silent.createIssue);
});
afterAll(() => github.stop());

const person = ({ workspaceId }: GithubWorkspace, limits?: object): Promise<PortalPerson> =>
  portalPerson({ api, baseUrl: product.baseUrl, workspaceId }, limits);

const callOf = (
  { createIssue }: GithubWorkspace,
  { endUserId }: Pick<PortalPerson, 'endUserId'>,
  changes: object = {},
) => ({
  ...createIssue,
  ...{ endUserId, idempotencyKey: newKey() },
  ...changes,
});

it('an end user sees and decides a pending approval: in the record, the events and the audit log; then the action runs', async () => {
  github.on('*', { status: 201, body: { number: 7 } });
  const ada = await person(own);
  const asked = callOf(own, ada);
  const { id } = await waiting(api, asked);
  const listed = await ada.web.get(ada.home);
  for (const said of [SAID, 'Create issue in GitHub']) expect(listed.text).toContain(said);
  const at = `/approvals/${id}`;
  expect((await ada.web.post(`${ada.home}/approval`, { id })).to).toBe(at);
  const shown = await ada.web.get(at);
  expect(shown.text).toContain('acme/app');
  for (const { text } of [listed, shown]) expect(text).not.toContain('apr_link_');
  expect((await ada.web.post(`${at}/approve`, { reason: 'It is mine' })).to).toBe(at);
  expect((await ada.web.get(at)).text).toContain('Decided by the person this is for');

  const decidedBy = { type: 'end_user', id: null };
  expect(await approvalOf(api, id)).toMatchObject({ status: 'approved', decidedBy, decisionReason: 'It is mine' });
  expect(await eventsOf(product.databaseUrl, id)).toEqual(['approval.requested', 'approval.approved']);
  await eventually(async () => {
    const { entries } = (await api.get(`/api/v1/audit-log?resourceId=${id.slice(4)}`)).body;
    const reason = `by end user ${ada.endUserId}: It is mine`;
    expect(entries).toMatchObject([{ action: 'approval.approve', reason, actor: { type: 'system' } }]);
  });
  expect((await api.post('/api/v1/actions/execute', asked)).status).toBe(200);
  expect((await ada.web.get(ada.home)).text).not.toContain(SAID);
  expect(product.logs()).not.toContain('apr_link_');
});

it.each<[string, () => Promise<[PortalPerson, id: string]>]>([
  ['another end user', async () => [await person(own), (await waiting(api, callOf(own, await person(own)))).id]],
  [
    'approvers other than the end user',
    async () => {
      const ada = await person(silent);
      return [ada, (await waiting(api, callOf(silent, ada))).id];
    },
  ],
  [
    'the dashboard only',
    async () => {
      const ada = await person(own);
      return [ada, (await waiting(api, callOf(own, ada, COMMENT))).id];
    },
  ],
  [
    'no one, because it was canceled',
    async () => {
      const ada = await person(own);
      const { id } = await waiting(api, callOf(own, ada));
      await decide(api, id, 'cancel');
      return [ada, id];
    },
  ],
  [
    'an integration that the link excludes',
    async () => {
      const ada = await person(own, { integrationName: 'linear' });
      return [ada, (await waiting(api, callOf(own, ada))).id];
    },
  ],
])('the portal hides an approval for %s, and does not open it', async (_whom, made) => {
  const [{ web, home }, id] = await made();
  const { status, text } = await web.get(home);
  expect({ status, isShown: text.includes(SAID) }).toEqual({ status: 200, isShown: false });
  expect((await web.post(`${home}/approval`, { id })).to).toBe(home);
  expect([...web.cookies.keys()].filter((name) => name.startsWith('approval-'))).toEqual([]);
});

it.each<[string, (ada: PortalPerson) => Promise<unknown>]>([
  ['the end user was deleted', ({ id }) => api.delete(`/api/v1/end-users/${id}`)],
  [
    'the link expired',
    ({ home }) => {
      const withdrawn = 'UPDATE connections.portal_tokens SET expires_at = now() WHERE id = $1';
      return rowsOf(product.databaseUrl, withdrawn, [home.split('/').at(-1)]);
    },
  ],
])('an opened approval can no longer be decided after %s', async (_what, end) => {
  const ada = await person(own);
  const { id } = await waiting(api, callOf(own, ada));
  const at = `/approvals/${id}`;
  expect((await ada.web.post(`${ada.home}/approval`, { id })).to).toBe(at);
  expect((await ada.web.get(`${at}/approve`)).status).toBe(200);
  const cookie = `approval-${id}=${ada.web.cookies.get(`approval-${id}`)}`;
  await end(ada);
  expect((await ada.web.post(`${at}/approve`)).status).toBe(404);
  for (const path of [at, `${at}/approve`]) {
    const { status, text } = await webOf(product.baseUrl).get(path, { cookie });
    expect({ status, isShown: text.includes('acme/app') }).toEqual({ status: 404, isShown: false });
  }
  expect((await approvalOf(api, id)).status).toMatch(/^(pending|canceled)$/);
});

it('deleting an end user cancels their approvals, which the next end user with this externalId does not see', async () => {
  const { id: recordId, endUserId } = await person(own);
  const { id } = await waiting(api, callOf(own, { endUserId }));
  expect((await api.delete(`/api/v1/end-users/${recordId}`)).status).toBe(200);
  const next = await portalPerson({ api, baseUrl: product.baseUrl, workspaceId: own.workspaceId, endUserId });
  const canceled = { status: 'canceled', decidedBy: null, decisionReason: 'The end user was deleted' };
  await eventually(async () => expect(await approvalOf(api, id)).toMatchObject(canceled));
  expect(await eventsOf(product.databaseUrl, id)).toEqual(['approval.requested', 'approval.canceled']);
  expect((await next.web.get(next.home)).text).not.toContain(SAID);
  expect((await waiting(api, callOf(own, { endUserId }))).id).not.toBe(id);
  expect((await next.web.get(next.home)).text).toContain(SAID);
});

it('an approval cannot be decided by a form of another site or without a link', async () => {
  const ada = await person(own);
  const { id } = await waiting(api, callOf(own, ada));
  const headers = { origin: 'https://evil.example' };
  expect((await ada.web.post(`${ada.home}/approval`, { id }, headers)).status).toBe(403);
  expect((await webOf(product.baseUrl).post(`${ada.home}/approval`, { id })).status).toBe(401);
  await ada.web.post(`${ada.home}/approval`, { id });
  expect((await ada.web.post(`/approvals/${id}/reject`, {}, headers)).status).toBe(403);
  expect((await approvalOf(api, id)).status).toBe('pending');
});
