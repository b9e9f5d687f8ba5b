import { newId } from '@drawbridge/contracts';
import { type Database } from '@drawbridge/database';
import { inTransaction } from '@drawbridge/events';
import { type GatedCall } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { approvals } from '../index.js';
import { cancelOfCodeRuns } from '../requests/expiry.js';
import { APPROVE, EXPIRE, type Organization, organizationOf } from '../testing/code-run-gate.js';

let database: Database<Db>;
let close: () => Promise<void>;
let org: Organization;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(approvals)));
afterAll(() => close());
beforeEach(() => (org = organizationOf(database)));

const WRITES = { riskMode: 'rules', rules: { actionCategories: ['write'] } };
const DELETES = { riskMode: 'rules', rules: { actionCategories: ['delete'] } };
const OCTOCAT = { connectionId: newId(), connectionGeneration: 1, account: 'octocat' };
const HOSTS = { riskMode: 'rules', rules: { domainDenylist: ['evil.example'] } };

/** Returns the batch requests that a run opened: their policies and the tools that each request covers. */
async function groupsOf(paths: string[], changes?: Parameters<Organization['admitRun']>[1]) {
  const { approvals: opened } = await org.admitRun(paths, changes);
  return opened.map(({ policyId, inputPreview }) => {
    const own = inputPreview!['approvalGroups'].find((group: any) => group.policyId === policyId);
    return [policyId, own.tools];
  });
}

/** Opens a batch request for one tool and returns its id. */
async function openBatch(path = 'gh.create_issue', fields = {}): Promise<string> {
  await org.newPolicy(fields);
  const [batch] = (await org.admitRun([path])).approvals;
  return batch!.id;
}

const refusedWith = (approvalId: string, reason: string) => ({ code: 'FORBIDDEN', details: { approvalId, reason } });
const countOf = async (): Promise<number> => database.db.approvalRequest.count({ where: { orgId: org.orgId } });

describe('AdmitCodeRun', () => {
  it('opens one request for each policy that requires an approval whatever the input is', async () => {
    const [writes, deletes] = [await org.newPolicy(WRITES), await org.newPolicy({ ...DELETES, timeoutSeconds: 60 })];
    await org.newPolicy({ ...HOSTS, priority: 1 });
    await org.newPolicy({ riskMode: 'model_assisted', priority: 1 });
    const { approvals: opened, blocked } = await org.admitRun(
      ['gh.list_issues', 'gh.create_issue', 'other.create_issue', 'gh.delete_issue'],
      { preview: { intentSummary: 'Does it.', predictedTools: ['gh.list_issues'], code: 'svc…' } },
    );
    expect(blocked).toEqual([]);
    const [first, second] = opened.map(({ id }) => id);
    const approvalGroups = [
      { policyId: writes.id, tools: ['gh.create_issue', 'other.create_issue'], toolCount: 2, approvalId: first },
      { policyId: deletes.id, tools: ['gh.delete_issue'], toolCount: 1, approvalId: second },
    ].map((group) => ({ ...group, policyName: 'Policy', decision: 'require_approval' }));
    const preview = {
      ...{ type: 'mcp_code_batch_run', codeRunId: org.run.id, codeHash: 'code', toolSurfaceHash: 'surface' },
      ...{ intentSummary: 'Does it.', predictedTools: ['gh.list_issues'], code: 'svc…', approvalGroups },
      approvalRequiredTools: ['gh.create_issue', 'other.create_issue', 'gh.delete_issue'],
      ...{ predictedToolCount: 1, approvalRequiredToolCount: 3 },
    };
    const shared = {
      source: 'mcp_code',
      status: 'pending',
      codeRunId: org.run.id,
      endUserId: 'ann',
      inputPreview: preview,
    };
    expect(opened).toMatchObject([
      { ...shared, policyId: writes.id, integrationName: 'code-mode', actionName: 'svc_execute' },
      {
        ...shared,
        policyId: deletes.id,
        integrationName: 'github',
        actionName: 'delete_issue',
        integrationAlias: 'gh',
      },
    ]);
    expect(opened[0]!.riskReasons).toEqual(['actionCategories: the action is of category write']);
    const [later, sooner] = opened.map(({ expiresAt }) => Date.parse(expiresAt)) as [number, number];
    expect(later - sooner).toBeGreaterThan(3_000_000);
  });

  it.each([
    ['the lower number', { priority: 1 }, { priority: 2 }],
    ['the more severe decision of a tie', {}, { decision: 'notify_only' }],
    ['the policy that approves by itself, before a later one', { decision: 'auto_approve', priority: 1 }, {}],
    ['the policy that only notifies, before a later one', { decision: 'notify_only', priority: 1 }, {}],
  ])('decides by %s', async (_what, first, second) => {
    const { id, decision } = await org.newPolicy(first);
    await org.newPolicy(second);
    const expected = decision === 'require_approval' ? [[id, ['gh.list_issues']]] : [];
    expect(await groupsOf(['gh.list_issues'])).toEqual(expected);
  });

  it('decides a tie of equal decisions by the id', async () => {
    const ids = [(await org.newPolicy()).id, (await org.newPolicy()).id].sort();
    expect(await groupsOf(['gh.list_issues'])).toEqual([[ids[0], ['gh.list_issues']]]);
  });

  it('applies the policies of the workspace and of the organization, and no others', async () => {
    const own = await org.newPolicy({ ...WRITES, workspaceId: org.workspaceId });
    await org.newPolicy({ workspaceId: newId(), priority: 1 });
    await organizationOf(database).newPolicy({ priority: 1 });
    const whole = await org.newPolicy({ priority: 200 });
    expect(await groupsOf(['gh.create_issue', 'gh.list_issues'])).toEqual([
      [own.id, ['gh.create_issue']],
      [whole.id, ['gh.list_issues']],
    ]);
  });

  it('names the calls that a policy blocks, with the refusal of Admit, and opens the requests of the others', async () => {
    const { id: policyId } = await org.newPolicy({ ...DELETES, decision: 'block', priority: 1 });
    await org.newPolicy();
    const { approvals: opened, blocked } = await org.admitRun(['gh.delete_issue', 'gh.list_issues']);
    const reasons = ['actionCategories: the action is of category delete'];
    const refusal = { status: 403, code: 'FORBIDDEN', details: { policyId, reasons } };
    expect(blocked).toMatchObject([{ path: 'gh.delete_issue', refusal }]);
    await expect(org.admit('gh.delete_issue')).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: blocked[0]!.refusal!.error,
    });
    expect(opened).toHaveLength(1);
  });

  it('opens each request once, also when two processes open the requests of one run at the same time', async () => {
    await org.newPolicy(WRITES);
    await org.newPolicy(DELETES);
    const paths = ['gh.create_issue', 'gh.delete_issue'];
    const all = await Promise.all([1, 2, 3, 4].map(() => org.admitRun(paths)));
    const ids = all.map(({ approvals: opened }) => opened.map(({ id }) => id));
    expect(ids[0]).toHaveLength(2);
    expect(new Set(ids.map(String)).size).toBe(1);
    expect(await countOf()).toBe(2);
    const groups = all[0]!.approvals.map(({ inputPreview }) => inputPreview!['approvalGroups']);
    expect(groups[0]).toEqual(groups[1]);
  });

  it('opens new requests if the program or the tools differ', async () => {
    await org.newPolicy();
    for (const changed of [{}, { codeHash: 'other' }, { toolSurfaceHash: 'other' }])
      await org.admitRun(['gh.list_issues'], { run: changed });
    expect(await countOf()).toBe(3);
  });

  it('covers and shows 200 tools of a group, and marks the lists that it shortens', async () => {
    await org.newPolicy(WRITES);
    const paths = Array.from({ length: 201 }, (_, at) => `gh.create_${at}`);
    const [batch] = (await org.admitRun(paths, { preview: { predictedTools: paths } })).approvals;
    const { approvalGroups, approvalRequiredTools, predictedTools, ...counts } = batch!.inputPreview!;
    expect([approvalGroups[0].tools, approvalRequiredTools, predictedTools].map(({ length }) => length)).toEqual([
      200, 200, 200,
    ]);
    expect(counts).toMatchObject({ predictedToolCount: 201, approvalRequiredToolCount: 201 });
    expect(approvalGroups[0].toolCount).toBe(201);
    expect(batch!.truncatedFields.sort()).toEqual(['approvalGroups', 'approvalRequiredTools', 'predictedTools']);
    expect(await org.admit(paths[199]!)).toMatchObject({ $case: 'pending', value: { id: batch!.id } });
    expect(await org.admit(paths[200]!)).not.toMatchObject({ value: { id: batch!.id } });
  });

  it('opens all requests or none if 10,000 wait', async () => {
    await org.newPolicy(WRITES);
    await org.newPolicy(DELETES);
    const paths = ['gh.create_issue', 'gh.delete_issue'];
    await fillUp(9_999);
    await expect(org.admitRun(paths)).rejects.toMatchObject({
      ...{ code: 'QUOTA_EXCEEDED', status: 403, details: { limit: 10_000, used: 9_999 } },
    });
    expect(await countOf()).toBe(9_999);
    expect((await org.admitRun(['gh.create_issue'])).approvals).toHaveLength(1);
    expect((await org.admitRun(['gh.create_issue'])).approvals).toHaveLength(1);
  });

  it('opens nothing in a deleted workspace', async () => {
    await org.newPolicy();
    await database.pool.query('INSERT INTO approvals.purged_workspaces (workspace_id) VALUES ($1)', [org.workspaceId]);
    await expect(org.admitRun(['gh.list_issues'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

/** Adds pending approval requests for other calls, so that the organization reaches its limit. */
async function fillUp(count: number): Promise<void> {
  const { id } = await org.newPolicy({ enabled: false });
  await database.pool.query(
    `INSERT INTO approvals.approval_requests (id, org_id, workspace_id, policy_id, source, integration_name, action_name, input_hash,
       input_preview, approval_access_mode, approvers, idempotency_key, timeout_seconds, default_on_timeout, expires_at)
     SELECT gen_random_uuid(), $1, $2, $3, 'rest', 'a', 'b', 'h', '{}', 'dashboard_only', '[]', n::text, 60, 'reject', now() + interval '1 hour'
     FROM generate_series(1, $4) AS n`,
    [org.orgId, org.workspaceId, id, count],
  );
}

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

describe('GetCodeRunApprovals', () => {
  it('returns the batch and the single requests of the run, oldest first, and marks those that are due as expired', async () => {
    const id = await openBatch();
    await org.set(id, APPROVE);
    const single = (await org.admit('gh.create_comment')) as { value: { id: string } };
    await org.set(single.value.id, EXPIRE);
    const { approvals: found, blocked } = await org.approvalsOfRun();
    expect(found.map((one) => [one.id, one.status])).toEqual([
      [id, 'approved'],
      [single.value.id, 'expired'],
    ]);
    expect(blocked).toEqual([]);
  });

  it('finds nothing of another organization', async () => {
    await openBatch();
    expect((await org.approvalsOfRun({ orgId: newId() })).approvals).toEqual([]);
  });

  it('returns 200 requests, those that end the run or that it waits for before the others', async () => {
    const id = await openBatch();
    await org.set(id, APPROVE);
    const copy = `INSERT INTO approvals.approval_requests
      SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'status', $2::text, 'batch_tools', '{}'::text[]))).*
      FROM approvals.approval_requests r, generate_series(1, $3) WHERE r.id = $1`;
    for (const [status, count] of [
      ['pending', 199],
      ['consumed', 50],
      ['rejected', 1],
    ])
      await database.pool.query(copy, [id.slice(4), status, count]);
    const found = (await org.approvalsOfRun()).approvals.map(({ status }) => status);
    expect(found).toHaveLength(200);
    expect(new Set(found)).toEqual(new Set(['rejected', 'pending']));
  });
});

describe('the end of a run', () => {
  it('cancels its pending requests, and none of another run, workspace or organization', async () => {
    const pending = await openBatch();
    const approved = (await org.admit('gh.create_comment')) as { value: { id: string } };
    await org.set(approved.value.id, APPROVE);
    const other = (await org.admit('gh.create_issue', { run: { id: newId() } })) as { value: { id: string } };
    const endOf = async (changes: object): Promise<void> => {
      const { orgId, workspaceId, run } = { ...org, ...changes };
      const payload = { $case: 'codeRunEnded', value: { codeRunId: run.id, workspaceId } } as const;
      const event = { id: newId(), orgId, occurredAt: new Date(), traceparent: '', payload };
      await inTransaction(database.pool, (tx) => cancelOfCodeRuns([event as never], tx));
    };
    const statuses = async (): Promise<unknown> => {
      const rows = await database.db.approvalRequest.findMany({ where: { orgId: org.orgId }, orderBy: { id: 'asc' } });
      return Object.fromEntries(rows.map(({ id, status, decisionReason }) => [`apr_${id}`, [status, decisionReason]]));
    };
    await endOf({ orgId: newId() });
    await endOf({ workspaceId: newId() });
    expect(await statuses()).toMatchObject({ [pending]: ['pending', null] });
    for (let times = 0; times < 2; times++) await endOf({});
    expect(await statuses()).toEqual({
      [pending]: ['canceled', 'The run has ended'],
      [approved.value.id]: ['approved', null],
      [other.value.id]: ['pending', null],
    });
    const events = await database.pool.query(
      `SELECT FROM approvals.outbox WHERE org_id = $1 AND type = 'approval.canceled'`,
      [org.orgId],
    );
    expect(events.rowCount).toBe(1);
  });
});
