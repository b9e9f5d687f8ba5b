// Shapes: local
import { agentServer, call } from './support/agents.js';
import { decide, newPolicy } from './support/approvals.js';
import { githubWorkspace } from './support/github.js';
import { reconnect } from './support/reconnect.js';
import { refreshedProduct, type RefreshedProduct } from './support/refreshed.js';

let its: RefreshedProduct;

beforeAll(async () => void (its = await refreshedProduct()));
afterAll(() => its?.stop());

it('an approved program asks again if its connection was reconnected, perhaps to another account', async () => {
  const { api, provider, product } = its;
  const own = await githubWorkspace(api);
  await newPolicy(api, { workspaceId: own.workspaceId, actionNames: ['create_issue'] });
  const server = await agentServer(api, own.workspaceId, { mode: 'CODE' });
  const code = "return await svc.gh.create_issue({ repo: 'acme/app', title: 'x' })";
  const first = (await call(server, 'svc_execute', { code })).structuredContent.approval.id;
  await decide(api, first, 'approve');
  await reconnect({ api, baseUrl: product.baseUrl }, own, 'ghp_of_another_account');

  const created = (): unknown[] =>
    provider.requests.flatMap(({ method, headers }) => (method === 'POST' ? [headers['authorization']] : []));
  const { structuredContent } = await call(server, 'svc_execute', { approvalId: first });
  expect(structuredContent).toMatchObject({ status: 'approval_required' });
  const second = structuredContent.approval.id;
  expect(second).not.toBe(first);
  expect(created()).toEqual([]);
  await decide(api, second, 'approve');
  await call(server, 'svc_execute', { approvalId: second });
  expect(created()).toEqual(['Bearer ghp_of_another_account']);
});
