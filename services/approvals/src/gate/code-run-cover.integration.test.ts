import { newId } from '@drawbridge/contracts';
import { type GatedCall } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import {
  APPROVE,
  countOf,
  database,
  EXPIRE,
  HOSTS,
  openBatch,
  org,
  type Organization,
  organizationOf,
} from '../testing/code-run-gate.js';

const OCTOCAT = { connectionId: newId(), connectionGeneration: 1, account: 'octocat' };
const refusedWith = (approvalId: string, reason: string) => ({ code: 'FORBIDDEN', details: { approvalId, reason } });

describe('Admit of a call of a run', () => {
  it('waits for the pending batch request, runs under it once approved, and marks it as consumed by the run', async () => {
    const id = await openBatch();
    expect(await org.admit('gh.create_issue')).toMatchObject({ $case: 'pending', value: { id, status: 'pending' } });
    await org.set(id, APPROVE);
    const uses = await Promise.all([1, 2, 3, 4].map(() => org.admit('gh.create_issue')));
    for (const use of uses) expect(use).toEqual({ $case: 'approved', value: { approvalId: id, mustUse: false } });
    const { status, consumedAt } = (await org.approvalsOfRun()).approvals[0]!;
    expect(status).toBe('consumed');
    await org.admit('gh.create_issue');
    expect((await org.approvalsOfRun()).approvals).toMatchObject([{ consumedAt }]);
  });

  it('either waits or runs, but opens nothing, while an approver decides', async () => {
    const id = await openBatch();
    const [, ...calls] = await Promise.all([
      org.set(id, APPROVE),
      ...[1, 2, 3, 4, 5, 6].map(() => org.admit('gh.create_issue')),
    ]);
    for (const call of calls) expect(['pending', 'approved']).toContain(call!.$case);
    expect(await countOf()).toBe(1);
  });

  it.each<[string, Parameters<Organization['admit']>[1]]>([
    ['another run', { run: { id: newId() } }],
    ['a changed program', { run: { codeHash: 'other' } }],
    ['changed tools', { run: { toolSurfaceHash: 'other' } }],
    ['another workspace', { workspaceId: newId() }],
  ])('opens a request of its own for %s', async (_what, changes) => {
    const id = await openBatch();
    await org.set(id, APPROVE);
    const call = await org.admit('gh.create_issue', changes);
    expect(call).toMatchObject({ $case: 'pending', value: { codeRunId: changes?.run?.id ?? org.run.id } });
    expect(call).not.toMatchObject({ value: { id } });
  });

  it('opens a separate request for a tool that the batch request does not name', async () => {
    await org.set(await openBatch(), APPROVE);
    for (const path of ['gh.create_comment', 'other.create_issue']) {
      const call = await org.admit(path);
      expect(call).toMatchObject({ $case: 'pending', value: { codeRunType: 'mcp_code_call', codeRunId: org.run.id } });
    }
    expect(await countOf()).toBe(3);
  });

  it('opens a request for a policy that depends on the input, also under an approved batch', async () => {
    await org.set(await openBatch(), APPROVE);
    const hosts = await org.newPolicy({ ...HOSTS, priority: 1 });
    expect(await org.admit('gh.create_issue', { call: { input: { url: 'https://good.example' } } })).toMatchObject({
      $case: 'approved',
    });
    const call = await org.admit('gh.create_issue', { call: { input: { url: 'https://evil.example' } } });
    expect(call).toMatchObject({ $case: 'pending', value: { policyId: hosts.id } });
  });

  it('keeps the approval of a single call for its exact retry', async () => {
    await org.newPolicy();
    const key = newId();
    const pending = await org.admit('gh.list_issues', { key });
    const { id: approvalId } = (pending as { value: { id: string } }).value;
    await org.set(approvalId, APPROVE);
    expect(await org.admit('gh.list_issues', { key })).toEqual({
      $case: 'approved',
      value: { approvalId, mustUse: true },
    });
    expect(await org.admit('gh.list_issues')).toMatchObject({ $case: 'pending' });
  });

  it.each([
    ['rejected', `status = 'rejected', decided_at = now()`, 'rejected'],
    ['canceled', `status = 'canceled', decided_at = now()`, 'canceled'],
    ['not decided in time', EXPIRE, 'expired'],
  ])('is refused once the batch request was %s, with every policy that changes later', async (_what, sql, reason) => {
    const id = await openBatch();
    await org.set(id, sql);
    await expect(org.admit('gh.create_issue')).rejects.toMatchObject(refusedWith(id, reason));
    await database.pool.query('UPDATE approvals.approval_policies SET updated_at = now() WHERE org_id = $1', [
      org.orgId,
    ]);
    await expect(org.admit('gh.create_issue')).rejects.toMatchObject(refusedWith(id, reason));
    expect(await org.admit('gh.create_issue', { run: { id: newId() } })).toMatchObject({ $case: 'pending' });
  });

  it.each([
    ['rejected', `status = 'rejected', decided_at = now()`],
    ['expired', EXPIRE],
  ])('is refused once its own request was %s: the run ends', async (reason, sql) => {
    await org.newPolicy({ defaultOnTimeout: 'expire' });
    const key = newId();
    const pending = await org.admit('gh.list_issues', { key });
    const { id } = (pending as { value: { id: string } }).value;
    await org.set(id, sql);
    await expect(org.admit('gh.list_issues', { key })).rejects.toMatchObject(refusedWith(id, reason));
  });

  it.each([
    ['its receipt has expired', `status = 'approved', decided_at = now(), receipt_expires_at = now()`],
    ['another execution used it', `status = 'consumed', consumed_at = now(), execution_id = gen_random_uuid()`],
    [
      'the run used it more than 24 hours ago',
      `status = 'consumed', consumed_at = now() - interval '25 hours', execution_id = code_run_id`,
    ],
  ])('has no cover if %s', async (_what, sql) => {
    const id = await openBatch();
    await org.set(id, sql);
    const call = await org.admit('gh.create_issue');
    expect(call).toMatchObject({ $case: 'pending' });
    expect(call).not.toMatchObject({ value: { id } });
  });

  it('requires an approval again after the policy changed, and none after it was deleted', async () => {
    const id = await openBatch();
    await org.set(id, APPROVE);
    await database.pool.query(
      `UPDATE approvals.approval_policies SET updated_at = now() + interval '1 s' WHERE org_id = $1`,
      [org.orgId],
    );
    const call = await org.admit('gh.create_issue');
    expect(call).toMatchObject({ $case: 'pending' });
    expect(call).not.toMatchObject({ value: { id } });
    await database.db.approvalPolicy.deleteMany({ where: { orgId: org.orgId } });
    expect(await org.admit('gh.create_issue')).toMatchObject({ $case: 'free' });
  });

  it('has no cover by the run of another organization', async () => {
    const id = await openBatch();
    await org.set(id, APPROVE);
    const other = organizationOf(database);
    await other.newPolicy();
    const call = await other.admit('gh.create_issue', { run: org.run, workspaceId: org.workspaceId });
    expect(call).toMatchObject({ $case: 'pending', value: { orgId: other.orgId } });
    expect((await org.approvalsOfRun()).approvals.map(({ status }) => status)).toEqual(['approved']);
  });

  it.each<[string, Partial<GatedCall>, Partial<GatedCall>]>([
    ['was reconnected', OCTOCAT, { ...OCTOCAT, connectionGeneration: 2 }],
    ['has another account', OCTOCAT, { ...OCTOCAT, account: 'evil' }],
    ['is another one', OCTOCAT, { ...OCTOCAT, connectionId: newId() }],
    ['is gone', OCTOCAT, {}],
    ['was added later', {}, OCTOCAT],
  ])('has no cover if its connection %s', async (_what, before, after) => {
    await org.newPolicy();
    const [batch] = (await org.admitRun(['gh.list_issues', 'gh.create_issue'], { call: before })).approvals;
    await org.set(batch!.id, APPROVE);
    expect(await org.admit('gh.create_issue', { call: before })).toMatchObject({
      ...{ $case: 'approved', value: { approvalId: batch!.id } },
    });
    const call = await org.admit('gh.create_issue', { call: after });
    expect(call).toMatchObject({ $case: 'pending' });
    expect(call).not.toMatchObject({ value: { id: batch!.id } });
  });

  it('does not reuse the approval of a run for a call within the reuse window', async () => {
    await org.set(await openBatch('gh.create_issue', { reuseWindowSeconds: 600 }), APPROVE);
    expect(await org.admit('gh.create_issue', { run: { id: newId() } })).toMatchObject({ $case: 'pending' });
  });
});
