// Shapes: local
import { type Answer, type Api, apiOf } from './support/api.js';
import { approvalOf, decide, eventsOf, letPass, newKey, newPolicy, waiting } from './support/approvals.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, NOBODY } from './support/expect.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';

const EXECUTE = '/api/v1/actions/execute';
const LIST = '/api/v1/approvals';

let product: Drawbridge;
let api: Api;
let own: GithubWorkspace;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  own = await githubWorkspace(api);
  await newPolicy(api, { workspaceId: own.workspaceId });
  await eventually(() => waiting(api, own.createIssue));
});

const call = (): object => ({ ...own.createIssue, idempotencyKey: newKey() });
const execute = (asked: object): Promise<Answer> => api.post(EXECUTE, asked);
const keyWith = async (permissions: object): Promise<Api> =>
  apiOf(product.baseUrl, (await api.post('/api/v1/api-keys', { name: 'Narrow', permissions })).body.plainKey);

it('is decided by who has the permission, of the workspace or the organization', async () => {
  const { id } = await waiting(api, call());
  const elsewhere = (await githubWorkspace(api)).workspaceId;
  const decides = { approvals: { decide: true } };
  const may = await keyWith({ scope: 'workspace', workspaceIds: [own.workspaceId], grants: [], ...decides });
  const mayNot = await keyWith({ scope: 'org' });
  const outside = await keyWith({ scope: 'workspace', workspaceIds: [elsewhere], ...decides });
  for (const how of ['approve', 'reject', 'cancel']) {
    expectError(await decide(mayNot, id, how), 403, 'FORBIDDEN');
    expectError(await decide(outside, id, how), 403, 'SCOPE_DENIED');
    expectError(await decide(product.other, id, how), 404, 'NOT_FOUND');
    expectError(await decide(apiOf(product.baseUrl), id, how), 401, 'UNAUTHENTICATED');
    expectError(await decide(api, `apr_${NOBODY}`, how), 404, 'NOT_FOUND');
    expectError(await decide(api, NOBODY, how), 404, 'NOT_FOUND');
    expectInvalid(await decide(api, id, how, { reason: 7, why: 'x' }), 'reason', 'why');
    expectInvalid(await decide(api, id, how, { metadata: { much: 'x'.repeat(17_000) } }), 'metadata');
  }
  expectError(await outside.get(`${LIST}/${id}`), 403, 'SCOPE_DENIED');
  expectError(await product.other.get(`${LIST}/${id}`), 404, 'NOT_FOUND');
  expect((await decide(may, id, 'approve')).status).toBe(200);
});

it('shows its hosted link to who may decide, and to keys that may execute; to who merely reads it none', async () => {
  const { id, hostedApprovalUrl } = await waiting(api, call());
  const reading = { scope: 'org', grants: ['approvals.read'] };
  const linksTo = async (permissions: object) => {
    const theirs = await keyWith(permissions);
    const { approvals } = (await theirs.get(LIST)).body;
    const listed = approvals.find((one: any) => one.id === id);
    return [(await approvalOf(theirs, id)).hostedApprovalUrl, listed.hostedApprovalUrl];
  };
  const both = [hostedApprovalUrl, hostedApprovalUrl];
  expect(await linksTo({ scope: 'org' })).toEqual(both);
  expect(await linksTo({ ...reading, grants: ['approvals.read', 'actions.execute'] })).toEqual(both);
  expect(await linksTo({ ...reading, approvals: { decide: true } })).toEqual(both);
  expect(await linksTo(reading)).toEqual([null, null]);
});

describe('the list', () => {
  let listed: GithubWorkspace;
  beforeAll(async () => {
    listed = await githubWorkspace(api);
    await newPolicy(api, { workspaceId: listed.workspaceId });
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) ids.push((await waiting(api, listed.createIssue)).id);
    await decide(api, ids[0]!, 'cancel');
  });
  const page = async (query: string, from = api): Promise<any> =>
    (await from.get(`${LIST}?workspaceId=${listed.workspaceId}&${query}`)).body;

  it('shows the newest first, page by page, stable while new ones arrive', async () => {
    const first = await page('limit=2');
    await waiting(api, listed.createIssue);
    const second = await page(`limit=2&cursor=${first.nextCursor}`);
    expect(first.total).toBe(3);
    expect(first.approvals.map(({ status }: any) => status)).toEqual(['pending', 'pending']);
    expect(second).toMatchObject({ approvals: [{ status: 'canceled' }], nextCursor: null });
    expectInvalid(await api.get(`${LIST}?cursor=x`), 'cursor');
  });

  it.each([
    ['status=canceled', 1],
    ['source=sdk', 0],
    ['source=rest', 4],
    ['integrationName=github', 4],
    ['integrationName=http', 0],
    ['actionName=create_issue&status=pending', 3],
  ])('holds to %s', async (query, total) => {
    expect(await page(query)).toMatchObject({ total, approvals: { length: total } });
  });

  it('shows a key of single workspaces what is in them, and refuses it others', async () => {
    const inside = await keyWith({ scope: 'workspace', workspaceIds: [listed.workspaceId] });
    const { approvals } = (await inside.get(LIST)).body;
    expect(new Set(approvals.map(({ workspaceId }: any) => workspaceId))).toEqual(new Set([listed.workspaceId]));
    expectError(await inside.get(`${LIST}?workspaceId=${own.workspaceId}`), 403, 'SCOPE_DENIED');
    expectError(await api.get(`${LIST}?workspaceId=${NOBODY}`), 404, 'NOT_FOUND');
    expectInvalid(await api.get(`${LIST}?status=open&limit=0`), 'status', 'limit');
  });
});

describe('a request that nobody decides', () => {
  it('expires: pending → expired, with its event; a retry is refused for as long as it was open', async () => {
    const asked = call();
    const { id } = await waiting(api, asked);
    await letPass(product.databaseUrl, id, 3_601);
    expectError(await decide(api, id, 'approve'), 409, 'DUPLICATE');
    expect((await approvalOf(api, id)).status).toBe('expired');
    expect(await eventsOf(product.databaseUrl, id)).toEqual(['approval.requested', 'approval.expired']);
    const refused = await execute(asked);
    expectError(refused, 403, 'FORBIDDEN');
    expect(refused.body.details).toEqual({ approvalId: id, reason: 'expired' });
    await letPass(product.databaseUrl, id, 3_600);
    expect((await waiting(api, asked)).id).not.toBe(id);
  });

  it('opens a new one at once where the policy says expire', async () => {
    const lenient = await githubWorkspace(api);
    await newPolicy(api, { workspaceId: lenient.workspaceId, defaultOnTimeout: 'expire', timeoutSeconds: 60 });
    const asked = { ...lenient.createIssue, idempotencyKey: newKey() };
    const { id } = await waiting(api, asked);
    await letPass(product.databaseUrl, id, 61);
    expect((await waiting(api, asked)).id).not.toBe(id);
    expect((await approvalOf(api, id)).status).toBe('expired');
  });

  it('expires also where nobody asks for it', async () => {
    const { id } = await waiting(api, call());
    await letPass(product.databaseUrl, id, 3_601);
    await eventually(async () =>
      expect(await eventsOf(product.databaseUrl, id)).toEqual(['approval.requested', 'approval.expired']),
    );
  });
});

it('holds an organization to 10,000 that wait', async () => {
  const theirs = await githubWorkspace(product.other);
  await newPolicy(product.other, { workspaceId: theirs.workspaceId });
  const { id } = await eventually(() => waiting(product.other, theirs.createIssue));
  const copies = `INSERT INTO approvals.approval_requests SELECT (jsonb_populate_record(one,
    jsonb_build_object('id', gen_random_uuid(), 'idempotency_key', n))).*
    FROM approvals.approval_requests one, generate_series(1, 9999) n WHERE one.id = $1`;
  await rowsOf(product.databaseUrl, copies, [id.slice(4)]);
  const refused = await product.other.post(EXECUTE, theirs.createIssue);
  expectError(refused, 403, 'QUOTA_EXCEEDED');
  expect(refused.body.details).toEqual({ limit: 10_000, used: 10_000 });
  await rowsOf(
    product.databaseUrl,
    'DELETE FROM approvals.approval_requests WHERE org_id IN (SELECT org_id FROM approvals.approval_requests WHERE id = $1)',
    [id.slice(4)],
  );
});
