// Shapes: local
import { type Page } from 'playwright-core';
import { type Api } from './support/api.js';
import { approvalOf, newKey, newPolicy, waiting } from './support/approvals.js';
import { expectUsable, SCREENS } from './support/browser.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { type Visitor, visitor } from './support/visitor.js';

let someone: Visitor;
let product: Drawbridge;
let api: Api;
let own: GithubWorkspace;

beforeAll(async () => {
  [someone, product] = await Promise.all([visitor(), drawbridge()]);
  ({ api } = product);
  own = await githubWorkspace(api);
  await newPolicy(api, { workspaceId: own.workspaceId, riskMode: 'always', approvers: [{ type: 'end_user' }] });
});
afterAll(() => someone?.close());
afterEach(() => someone.leave());

const LONG = `action_${'of_analytical_engines_'.repeat(6)}end`;
const CODE = `// Closes what is done.
const issues = await svc.gh.list_issues({ repo: 'acme/app', state: 'open' });
for (const issue of issues) {
  if (issue.labels.includes('done')) await svc.gh.update_issue({ repo: 'acme/app', issueNumber: issue.number, state: 'closed' });
}
await svc.chat.send_message({ channel: 'releases', text: \`Closed \${issues.length} issues\` });
return issues.length;
`;

const previewOf = (approvalId: string) => ({
  ...{
    type: 'mcp_code_batch_run',
    codeRunId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37',
    codeHash: 'c',
    toolSurfaceHash: 's',
  },
  intentSummary: 'Calls 4 tools of GitHub and Slack: list issues, update issue, delete comment, send message.',
  impactSummary:
    'Deletes data in GitHub. Sends messages with Slack. Creates or changes data in GitHub. Reads from GitHub.',
  predictedTools: ['gh.list_issues', 'gh.update_issue', 'gh.delete_comment', `gh.${LONG}`, 'chat.send_message'],
  predictedToolCount: 5,
  approvalGroups: [
    { policyId: 'p', policyName: 'Writes', tools: ['gh.update_issue', 'chat.send_message'], toolCount: 2, approvalId },
    { policyId: 'q', policyName: 'Deletes', tools: ['gh.delete_comment'], toolCount: 1, approvalId: 'apr_other' },
  ],
  availableApps: ['gh', 'chat'].map((alias) => ({ alias, displayName: { gh: 'GitHub', chat: 'Slack' }[alias] })),
  ...{ analysisConfidence: 'partial', dynamicSignals: ['line 3: a name that is computed'] },
  ...{ externalDomains: ['docs.example.com'], storageIndicators: ['releases/'], code: CODE },
});

/** Creates an approval request and changes it in the database to the request of a batch run, so that the page needs no agent. */
async function openRequest(call: object = {}): Promise<{ id: string; hostedApprovalUrl: string }> {
  const { id, hostedApprovalUrl } = await waiting(api, { ...own.createIssue, ...call, idempotencyKey: newKey() });
  await rowsOf(
    product.databaseUrl,
    `UPDATE approvals.approval_requests SET source = 'mcp_code', integration_name = 'code-mode', integration_alias = NULL,
       action_name = 'svc_execute', code_run_id = gen_random_uuid(), code_hash = 'c', tool_surface_hash = 's',
       batch_tools = '{gh.update_issue,chat.send_message}', input_preview = $2 WHERE id = $1`,
    [id.slice(4), previewOf(id)],
  );
  return { id, hostedApprovalUrl };
}

async function open(options?: Parameters<Visitor['open']>[1]): Promise<{ page: Page; id: string }> {
  const { id, hostedApprovalUrl } = await openRequest();
  return { id, page: await someone.open(hostedApprovalUrl, options) };
}

it.each(SCREENS)('the page of a batch run can be used by everybody: %s', async (screen, options) => {
  const { page } = await open(options);
  await expectUsable(page, `batch-run, ${screen}`);
  await page.getByText('Show or hide the program').click();
  expect(await page.getByText('Closes what is done.').isVisible()).toBe(true);
  await expectUsable(page, `batch-run-open, ${screen}`);
});

it('shows the summary first, and the program only once the reader opens it', async () => {
  const { page, id } = await open();
  expect(await page.locator('.card').first().innerText()).toContain('Calls 4 tools of GitHub and Slack');
  expect(await page.getByText('Closes what is done.').isVisible()).toBe(false);
  expect(await page.getByText('needs this approval', { exact: true }).count()).toBe(2);
  expect(await page.getByText('needs another approval', { exact: true }).count()).toBe(1);
  expect(await approvalOf(api, id)).toMatchObject({ codeRunType: 'mcp_code_batch_run', integrationName: 'code-mode' });
});

it('is approved on a page that repeats what would run', async () => {
  const { page, id } = await open();
  await page.getByRole('link', { name: 'Approve…' }).click();
  await expectUsable(page, 'batch-run-confirmed');
  expect(await page.getByText('Calls 4 tools of GitHub and Slack').isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The program makes these calls once the agent continues it.').waitFor();
  expect(await approvalOf(api, id)).toMatchObject({ status: 'approved' });
});

it('shows the page in German to a browser that prefers German', async () => {
  const { page } = await open({ locale: 'de-DE' });
  expect(await page.getByRole('heading', { name: 'Was das Programm tut' }).count()).toBe(1);
  await expectUsable(page, 'batch-run, german');
});

it('is found by the end user on their own page, which names it as a program', async () => {
  const person = { workspaceId: own.workspaceId, externalId: 'grace', displayName: 'Grace' };
  const { endUser } = (await api.post('/api/v1/end-users', person)).body;
  await openRequest({ endUserId: 'grace' });
  const { token } = (await api.post(`/api/v1/end-users/${endUser.id}/connect-token`, {})).body;
  const page = await someone.open(`${product.baseUrl}/connect/portal?token=${token}`);
  await page.getByRole('button', { name: 'Review: Run a program' }).click();
  await page.getByText('Waiting for a decision').waitFor();
});
