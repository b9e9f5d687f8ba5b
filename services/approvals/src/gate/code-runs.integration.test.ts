import { newId } from '@drawbridge/contracts';
import { inTransaction } from '@drawbridge/events';
import { cancelOfCodeRuns } from '../requests/expiry.js';
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

const WRITES = { riskMode: 'rules', rules: { actionCategories: ['write'] } };
const DELETES = { riskMode: 'rules', rules: { actionCategories: ['delete'] } };

/** Returns the batch requests that a run opened: their policies and the tools that each request covers. */
async function groupsOf(paths: string[], changes?: Parameters<Organization['admitRun']>[1]) {
  const { approvals: opened } = await org.admitRun(paths, changes);
  return opened.map(({ policyId, inputPreview }) => {
    const own = inputPreview!['approvalGroups'].find((group: any) => group.policyId === policyId);
    return [policyId, own.tools];
  });
}

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
