// Shapes: local
import { approvalOf, decide, letPass, newKey, newPolicy, waiting } from './support/approvals.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectInvalid } from './support/expect.js';
import { githubWorkspace } from './support/github.js';
import {
  api,
  approved,
  call,
  execute,
  github,
  openGuardedWorkspace,
  own,
  product,
} from './support/guarded-workspace.js';
import { untilCachesExpire } from './support/until-caches-expire.js';
import { newIntegration, pathOf } from './support/workspace-integrations.js';

const LIST = '/api/v1/approvals';
const OTHER = { repo: 'acme/app', title: 'Other' };

beforeAll(openGuardedWorkspace);
afterEach(() => github.reset());
afterAll(() => github.stop());

describe('the exact retry', () => {
  it.each(['Idempotency-Key', 'X-Idempotency-Key'])('may have its key in %s', async (header) => {
    const { idempotencyKey } = call();
    const headers = { [header]: idempotencyKey };
    const { status, body } = await execute(own.createIssue, headers);
    expect([status, body.approval.retry]).toEqual([202, { idempotencyKey }]);
    await decide(api, body.approval.id, 'approve');
    expect((await execute({ ...own.createIssue, idempotencyKey })).status).toBe(200);
    expect((await execute(own.createIssue, headers)).headers.get('idempotent-replayed')).toBe('true');
    expect(github.requests).toHaveLength(1);
  });

  it('needs another approval after its receipt has expired', async () => {
    const asked = call();
    const id = await approved(asked);
    await letPass(product.databaseUrl, id, 3_601);
    expect((await waiting(api, asked)).id).not.toBe(id);
    expect((await approvalOf(api, id)).status).toBe('approved');
    expect(github.requests).toEqual([]);
  });

  it('needs another approval after its stored response was deleted, 24 h after the run', async () => {
    const asked = call();
    const id = await approved(asked);
    expect((await execute(asked)).status).toBe(200);
    const passed = [
      [`UPDATE execution.claims SET expires_at = now() WHERE key = $1`, asked.idempotencyKey],
      [`UPDATE approvals.approval_requests SET consumed_at = now() - interval '24 hours' WHERE id = $1`, id.slice(4)],
    ] as const;
    for (const [sql, value] of passed) await rowsOf(product.databaseUrl, sql, [value]);
    expect((await waiting(api, asked)).id).not.toBe(id);
    expect(github.requests).toHaveLength(1);
  });

  it('runs when no policy needs an approval any longer; its request stays in the history and can be decided', async () => {
    const gone = await githubWorkspace(api);
    const policy = await newPolicy(api, { workspaceId: gone.workspaceId });
    const asked = { ...gone.createIssue, idempotencyKey: newKey() };
    const { id } = await waiting(api, asked);
    await api.delete(`/api/v1/approval-policies/${policy.id}`);
    await eventually(async () => expect((await execute(asked)).status).toBe(200));
    expect(await approvalOf(api, id)).toMatchObject({ status: 'pending', policyId: policy.id });
    expect((await api.get(`${LIST}?workspaceId=${gone.workspaceId}`)).body).toMatchObject({ approvals: [{ id }] });
    expect((await decide(api, id, 'reject')).status).toBe(200);
  });
});

it('does not work on the state of another owner than was approved', async () => {
  const { workspaceId } = await githubWorkspace(api);
  const settings = { persistence: { scope: 'workspace' } };
  const { id } = await newIntegration(api, workspaceId, { integrationName: 'kv-store', alias: 'kept', settings });
  await newPolicy(api, { workspaceId });
  const integrationName = 'kv-store';
  const input = { key: 'k', value: 1 };
  const asked = { integrationName, actionName: 'set', workspaceId, endUserId: 'ann', input, idempotencyKey: newKey() };
  await approved(asked);
  const keepIn = async (persistence: object): Promise<void> => {
    expect((await api.patch(pathOf(workspaceId, id), { settings: { persistence } })).status).toBe(200);
  };
  await keepIn({ scope: 'external', externalId: 'bob' });
  // Otherwise a call could run with the previous settings, and later calls would return its stored response instead of 202.
  await untilCachesExpire();
  // The same request now uses another owner's state, so it needs another approval.
  expect((await execute(asked)).status).toBe(202);
  await keepIn(settings.persistence);
  await eventually(async () => expect((await execute(asked)).status).toBe(200));
});

it('reserves the key of a waiting call for that call', async () => {
  const asked = call();
  const { id } = await waiting(api, asked);
  expectInvalid(await execute({ ...asked, input: OTHER }), 'idempotencyKey');
  await decide(api, id, 'reject');
  expect((await waiting(api, { ...asked, input: OTHER })).id).not.toBe(id);
});

it('refuses to reuse an approval for another alias or under another policy', async () => {
  const reused = await githubWorkspace(api);
  const { workspaceId, connectionId } = reused;
  await newPolicy(api, { workspaceId, reuseWindowSeconds: 600 });
  const path = `/api/v1/workspaces/${workspaceId}/integrations`;
  await api.post(path, { integrationName: 'github', alias: 'second', connectionId });
  const asked = { ...reused.createIssue, idempotencyKey: newKey() };
  await approved(asked);
  expect((await execute(reused.createIssue)).status).toBe(200);
  await waiting(api, { ...reused.createIssue, integrationAlias: 'second' });
  const { id: policyId } = await newPolicy(api, { workspaceId, reuseWindowSeconds: 600, priority: 1 });
  const { id } = await waiting(api, reused.createIssue);
  expect(await approvalOf(api, id)).toMatchObject({ policyId });
});
