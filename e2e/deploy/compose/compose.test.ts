import { type FakeProvider } from '@drawbridge/testkit';
import { command } from '../support/command.js';
import { apiOf } from '../../support/api.js';
import { decide, newKey, newPolicy, waiting } from '../../support/approvals.js';
import { type Drawbridge, drawbridge } from '../../support/drawbridge.js';
import { eventually } from '../../support/eventually.js';
import { githubWorkspace } from '../../support/github.js';
import { provider } from '../../support/provider.js';
import { asGithub, githubSecretOf } from '../../support/trigger-vendors.js';
import { pushTrigger, repositoryHooks } from '../../support/triggers.js';

describe('docker-compose.yml', () => {
  let product: Drawbridge;
  let github: FakeProvider;

  beforeAll(async () => {
    product = await drawbridge();
    github = await provider();
  });
  afterAll(() => github.stop());

  /** Runs JavaScript in a container of a service. Returns what it prints. */
  const runIn = (container: string, code: string): Promise<string> =>
    command(['docker', 'exec', `drawbridge-${container}`, 'node', '--input-type=module', '--eval', code]);
  const ask =
    "await fetch('http://sandbox:2375/_ping').then((answer) => answer.text()).catch(({ cause }) => cause.code)";

  it('starts each container of a service with a port of its own on this machine', async () => {
    for (const baseUrl of product.baseUrls) {
      expect((await apiOf(baseUrl, product.key).get('/api/v1/workspaces')).status).toBe(200);
    }
  });

  it('lets execution alone reach the engine of advanced code', async () => {
    const answersOf = (...containers: string[]): Promise<string[]> =>
      Promise.all(containers.map((container) => runIn(container, `console.log(${ask})`)));
    expect(await answersOf('execution-1', 'execution-2')).toEqual(['OK\n', 'OK\n']);
    const unknown = expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)\n$/);
    expect(await answersOf('gateway-1', 'catalog-1', 'connections-1')).toEqual([unknown, unknown, unknown]);
  });

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

  it('has the commands for operators', async () => {
    const compose: string[] = JSON.parse(process.env['COMPOSE']!);
    const { organizations } = JSON.parse(await command([...compose, 'run', '--rm', 'admin', 'org', 'list']));
    expect(organizations).toContainEqual(expect.objectContaining({ slug: 'default' }));
  });

  it('keeps its data when the database is restarted, and continues', async () => {
    const create = { name: 'Kept', slug: `kept-${Date.now()}` };
    const { workspace } = (await product.api.post('/api/v1/workspaces', create)).body;
    await command(['docker', 'restart', 'drawbridge-postgres-1']);
    await eventually(async () => {
      const { body } = await product.api.get(`/api/v1/workspaces/${workspace.id}`);
      expect(body.workspace).toMatchObject({ name: 'Kept' });
    }, 60_000);
  });
});
