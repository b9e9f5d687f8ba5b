// Shapes: local
import { officialClient } from './support/agents.js';
import { approvalOf, decide } from './support/approvals.js';
import { api, at, CREATE, gatedServer, INTERFACES, openCodeAgent, valueOf } from './support/code-agent.js';
import { eventually } from './support/eventually.js';
import { MCP_SERVERS } from './support/mcp-servers.js';

const COMMENT = "svc.gh.comment({ repo: 'acme/app', issue_number: 1, body: 'Hi' })";

beforeAll(openCodeAgent);
afterEach(() => at.github.reset());
afterAll(() => at?.github.stop());

describe.each(INTERFACES)('svc_execute over %s', (_, execute) => {
  it('continues after an approval, once, and returns the stored result again', async () => {
    at.github.on('*', { status: 201, body: { number: 9 } });
    const gated = await gatedServer({ actionNames: ['create_issue'] });
    const asked = await execute({ code: CREATE }, gated);
    const approval = {
      ...{ id: expect.stringMatching(/^apr_/), approvalUrl: expect.stringMatching(/^https?:.*\/approvals\/apr_/) },
      ...{ hostedApprovalUrl: expect.stringContaining('token=apr_link_'), expiresAt: expect.any(String) },
    };
    const { approvalId } = asked.structuredContent.continuation.arguments;
    expect(asked.isError).toBe(false);
    expect(asked.structuredContent).toEqual({
      ...{ status: 'approval_required', view: 'approval_required' },
      ...{ title: expect.any(String), description: expect.any(String), approval },
      links: [
        { kind: 'hosted_approval', label: expect.any(String), url: expect.any(String), primary: true },
        { kind: 'dashboard_approval', label: expect.any(String), url: expect.any(String), primary: false },
      ],
      continuation: { tool: 'svc_execute', arguments: { approvalId: asked.structuredContent.approval.id } },
    });
    expect((await approvalOf(api, approvalId)).inputPreview).toMatchObject({
      ...{ type: 'mcp_code_batch_run', codeRunId: expect.any(String), analysisConfidence: 'exact' },
      ...{ codeHash: expect.any(String), toolSurfaceHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(await execute({ approvalId }, gated)).toMatchObject({
      ...{ isError: false, structuredContent: { status: 'approval_pending', approval: { id: approvalId } } },
    });
    expect(at.github.requests).toHaveLength(0);
    await decide(api, approvalId, 'approve');
    expect(valueOf(await execute({ approvalId }, gated))).toEqual({ number: 9 });
    expect(valueOf(await execute({ approvalId }, gated))).toEqual({ number: 9 });
    expect(at.github.requests).toHaveLength(1);
  });

  it('holds a continuation open until the decision', async () => {
    at.github.on('*', { status: 201, body: { number: 9 } });
    const gated = await gatedServer({ actionNames: ['create_issue'] });
    const { approvalId } = (await execute({ code: CREATE }, gated)).structuredContent.continuation.arguments;
    const continued = execute({ approvalId, waitForApprovalSeconds: 30 }, gated);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await decide(api, approvalId, 'approve');
    expect(valueOf(await continued)).toEqual({ number: 9 });
  });

  it('ends the run when its approval is rejected', async () => {
    const gated = await gatedServer({ actionNames: ['create_issue'] });
    const { approvalId } = (await execute({ code: CREATE }, gated)).structuredContent.continuation.arguments;
    await decide(api, approvalId, 'reject', { reason: 'Not now' });
    for (const result of [await execute({ approvalId }, gated), await execute({ approvalId }, gated)])
      expect(result).toMatchObject({ isError: true, structuredContent: { code: 'APPROVAL_REJECTED' } });
    expect(at.github.requests).toHaveLength(0);
  });

  it('lists the approvals of several policies, and reports them in turn', async () => {
    at.github.on('*', { status: 201, body: { number: 9 } });
    const gated = await gatedServer({ actionNames: ['create_issue'] }, { actionNames: ['comment'] });
    const code = `await svc.gh.create_issue({ repo: 'acme/app', title: 'T' }); await ${COMMENT}; return 'done'`;
    const { structuredContent: first } = await execute({ code }, gated);
    expect(first.approvals).toHaveLength(2);
    expect(first.approvals[0]).toEqual(first.approval);
    await decide(api, first.approval.id, 'approve');
    const { structuredContent: second } = await execute({ approvalId: first.approval.id }, gated);
    expect(second).toMatchObject({ status: 'approval_pending', approval: { id: first.approvals[1].id } });
    expect(second.approvals).toBeUndefined();
    await decide(api, second.approval.id, 'approve');
    expect(valueOf(await execute({ approvalId: second.approval.id }, gated))).toBe('done');
    expect(at.github.requests).toHaveLength(2);
  });

  it('cancels the other approvals of a run that has ended', async () => {
    const gated = await gatedServer({ actionNames: ['create_issue'] }, { actionNames: ['comment'] });
    const code = `await svc.gh.create_issue({ repo: 'acme/app', title: 'T' }); await ${COMMENT}`;
    const [first, second] = (await execute({ code }, gated)).structuredContent.approvals;
    await decide(api, first.id, 'reject');
    expect(await execute({ approvalId: second.id }, gated)).toMatchObject({
      ...{ isError: true, structuredContent: { code: 'APPROVAL_REJECTED' } },
    });
    await eventually(async () => {
      const ended = { status: 'canceled', decisionReason: 'The run has ended' };
      expect(await approvalOf(api, second.id)).toMatchObject(ended);
    });
    expect((await approvalOf(api, first.id)).status).toBe('rejected');
  });

  it('does not continue after a tool has changed', async () => {
    const gated = await gatedServer({ actionNames: ['create_issue'] });
    const { approvalId } = (await execute({ code: CREATE }, gated)).structuredContent.continuation.arguments;
    await decide(api, approvalId, 'approve');
    const tool = { integrationName: 'github', actionName: 'create_issue', integrationAlias: 'gh' };
    const path = `${MCP_SERVERS}/${gated.serverId}/tools`;
    expect((await api.post(path, { ...tool, description: 'Another meaning' })).status).toBe(201);
    expect(await execute({ approvalId }, gated)).toMatchObject({
      ...{ isError: true, structuredContent: { code: 'SURFACE_CHANGED' } },
    });
    expect(at.github.requests).toHaveLength(0);
  });
});

it('the official client shows its user the approval page and continues automatically', async () => {
  at.github.on('*', { status: 201, body: { number: 5 } });
  const gated = await gatedServer({ actionNames: ['create_issue'] });
  const options = { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { url: {} } } } as const;
  const client = await officialClient(gated, options);
  const opened: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const { url } = params as { url: string };
    opened.push(url);
    await decide(api, /apr_[0-9a-f-]{36}/.exec(url)![0], 'approve');
    return { action: 'accept' };
  });
  const result = await client.callTool({ name: 'svc_execute', arguments: { code: CREATE } });
  expect(opened).toHaveLength(1);
  expect(valueOf({ isError: false, ...result })).toEqual({ number: 5 });
  expect(at.github.requests).toHaveLength(1);
  await client.close();
});
