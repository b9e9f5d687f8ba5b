// Flows that involve several services, a person and a provider, on an installation in containers.
import { type FakeProvider } from '@drawbridge/testkit';
import { apiOf } from '../../support/api.js';
import { decide, newKey, newPolicy, waiting } from '../../support/approvals.js';
import { type Drawbridge, drawbridge } from '../../support/drawbridge.js';
import { githubWorkspace } from '../../support/github.js';
import { provider } from '../../support/provider.js';
import { asGithub, githubSecretOf } from '../../support/trigger-vendors.js';
import { pushTrigger, repositoryHooks } from '../../support/triggers.js';

describe('an installation in containers', () => {
  let product: Drawbridge;
  let github: FakeProvider;

  beforeAll(async () => {
    product = await drawbridge();
    github = await provider();
  });
  afterAll(() => github.stop());
  afterEach(() => github.reset());

  it('runs an action after a person approved it', async () => {
    const { api } = product;
    const { workspaceId, createIssue } = await githubWorkspace(api);
    await newPolicy(api, { workspaceId });
    const call = { ...createIssue, idempotencyKey: newKey() };
    const { id } = await waiting(api, call);
    expect(github.requests).toEqual([]);
    expect((await decide(api, id, 'approve')).status).toBe(200);
    expect(await api.post('/api/v1/actions/execute', call)).toMatchObject({ status: 200, body: { success: true } });
    expect(github.requests).toHaveLength(1);
  });

  it('passes an event of a provider to a callback', async () => {
    const { api } = product;
    const own = await githubWorkspace(api);
    repositoryHooks(github);
    const callbackUrl = `http://${product.providerHost}:${product.providerPort}/events`;
    const { body } = await api.post('/api/v1/triggers/enable', pushTrigger(own, { callbackUrl }));
    const { webhookUrl } = body.triggerSource;
    const { pathname } = new URL(webhookUrl);
    const text = JSON.stringify({ ref: 'refs/heads/main', commits: [] });
    const signed = await asGithub(text, githubSecretOf(github, pathname), 'delivery-1');
    const headers = { 'content-type': 'application/json', ...signed };
    expect((await apiOf(product.baseUrl).send('POST', pathname, { text, headers })).status).toBe(200);
    const callback = await github.received(({ url }) => url === '/events');
    expect(callback.headers).toMatchObject({ 'webhook-id': expect.any(String) });
    expect(callback.text).toContain('refs/heads/main');
  });
});
