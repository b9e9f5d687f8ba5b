// Shapes: local
import { decide, EXECUTE, newPolicy, waiting } from './support/approvals.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { githubWorkspace, type GithubWorkspace } from './support/github.js';
import { api, github, keyWith, openGuardedWorkspace, own, product } from './support/guarded-workspace.js';

const LIST = '/api/v1/approvals';

beforeAll(openGuardedWorkspace);
afterEach(() => github.reset());
afterAll(() => github.stop());

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
  ])('respects %s', async (query, total) => {
    expect(await page(query)).toMatchObject({ total, approvals: { length: total } });
  });

  it('shows a key of single workspaces their requests, and refuses those of others', async () => {
    const inside = await keyWith({ scope: 'workspace', workspaceIds: [listed.workspaceId] });
    const { approvals } = (await inside.get(LIST)).body;
    expect(new Set(approvals.map(({ workspaceId }: any) => workspaceId))).toEqual(new Set([listed.workspaceId]));
    expectError(await inside.get(`${LIST}?workspaceId=${own.workspaceId}`), 403, 'SCOPE_DENIED');
    expectError(await api.get(`${LIST}?workspaceId=${UNKNOWN_ID}`), 404, 'NOT_FOUND');
    expectInvalid(await api.get(`${LIST}?status=open&limit=0`), 'status', 'limit');
  });
});

it('lists 50 at once, 100 at most', async () => {
  const many = `INSERT INTO approvals.approval_requests SELECT (jsonb_populate_record(one,
    jsonb_build_object('id', gen_random_uuid(), 'idempotency_key', n))).*
    FROM approvals.approval_requests one, generate_series(1, 101) n WHERE one.id = $1`;
  const crowded = await githubWorkspace(api);
  await newPolicy(api, { workspaceId: crowded.workspaceId });
  await rowsOf(product.databaseUrl, many, [(await waiting(api, crowded.createIssue)).id.slice(4)]);
  const page = async (query: string): Promise<any> =>
    (await api.get(`${LIST}?workspaceId=${crowded.workspaceId}${query}`)).body;
  expect(await page('')).toMatchObject({ total: 102, approvals: { length: 50 } });
  expect(await page('&limit=100')).toMatchObject({ total: 102, approvals: { length: 100 } });
  expectInvalid(await api.get(`${LIST}?limit=101`), 'limit');
});

it('limits an organization to 10,000 pending requests', async () => {
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
