// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Api, apiOf, misspelt } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { operatorOf } from './support/operator.js';
import { provider } from './support/provider.js';

let product: Drawbridge;
let api: Api;
let github: FakeProvider;
let own: GithubWorkspace;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  github = await provider();
  own = await githubWorkspace(api);
});
afterAll(() => github.stop());

/** Waits until the filter returns `count` entries, and returns them. */
function entriesOf(query: string, count: number): Promise<any[]> {
  return eventually(async () => {
    const { entries } = (await api.get(`/api/v1/audit-log?limit=100&${query}`)).body;
    expect(entries).toHaveLength(count);
    return entries;
  });
}

async function keyWith(permissions: object): Promise<{ id: string; api: Api }> {
  const { body } = await api.post('/api/v1/api-keys', { name: 'Narrow', permissions });
  return { id: body.apiKey.id, api: apiOf(product.baseUrl, body.plainKey) };
}

describe('a refused call', () => {
  it('is recorded with actor, action and reason, reads included', async () => {
    const { id, api: narrow } = await keyWith({ scope: 'org', grants: [] });
    expectError(await narrow.patch(`/api/v1/workspaces/${own.workspaceId}`, { name: 'x' }), 403, 'FORBIDDEN');
    expectError(await narrow.get('/api/v1/connections'), 403, 'FORBIDDEN');
    expectError(await narrow.post('/api/v1/actions/execute', own.createIssue), 403, 'FORBIDDEN');
    const entries = await entriesOf(`actor=${id}`, 3);
    expect(entries.map(({ action, outcome }) => `${outcome} ${action}`)).toEqual([
      'denied action.execute',
      'denied connection.read',
      'denied workspace.update',
    ]);
    expect(entries[2]).toMatchObject({
      workspaceId: own.workspaceId,
      actor: { type: 'api_key', id, name: 'Narrow' },
      resource: { type: 'workspace', id: own.workspaceId },
      reason: expect.stringMatching(/^FORBIDDEN: .*workspaces\.write/),
      address: expect.stringMatching(/127\.0\.0\.1$/),
    });
  });

  it('is recorded for a key outside of its workspaces', async () => {
    const { workspace } = (await api.post('/api/v1/workspaces', { name: 'Other', slug: 'audit-other' })).body;
    const { id, api: narrow } = await keyWith({ scope: 'workspace', workspaceIds: [workspace.id] });
    expectError(await narrow.get(`/api/v1/workspaces/${own.workspaceId}`), 403, 'SCOPE_DENIED');
    const [entry] = await entriesOf(`actor=${id}`, 1);
    expect(entry).toMatchObject({ outcome: 'denied', reason: expect.stringMatching(/^SCOPE_DENIED: /) });
  });

  it('is recorded individually up to a limit, and then counted', async () => {
    const { id, api: narrow } = await keyWith({ scope: 'org', grants: [] });
    for (let call = 0; call < 60; call++) await narrow.get('/api/v1/connections');
    const all = await eventually(async () => {
      const { entries } = (await api.get(`/api/v1/audit-log?limit=100&actor=${id}&action=connection.read`)).body;
      expect(entries.length).toBeGreaterThanOrEqual(20);
      return entries;
    });
    // If the minute ended during the test, there is one more entry with the count of that minute, and individual entries start again.
    const sums = all.filter(({ reason }: { reason: string }) => reason.includes('more calls were refused'));
    expect(all.length - sums.length).toBeLessThanOrEqual(20 * (1 + sums.length));
    expect(all.length).toBeLessThan(60);
  });

  it('with an unknown key is not recorded', async () => {
    const { body: before } = await api.get('/api/v1/audit-log?limit=1');
    expect((await apiOf(product.baseUrl, misspelt(product.key)).get('/api/v1/connections')).status).toBe(401);
    expect((await api.get('/api/v1/audit-log?limit=1')).body.entries).toEqual(before.entries);
  });
});

it('a command of an operator is recorded', async () => {
  const { userEmail } = (await api.get('/api/v1/members')).body.members[0];
  const operator = operatorOf(product.databaseUrl);
  const made = await operator.createKey({ userEmail, orgId: product.orgId, name: 'Operated' });
  const [entry] = await entriesOf(`resourceId=${made.apiKey.id}`, 1);
  expect(entry).toMatchObject({ action: 'api_key.create', actor: { type: 'operator', id: null }, outcome: 'allowed' });
});

describe('a credential', () => {
  it('is recorded with actor, action and execution when a run uses it', async () => {
    github.on('*', { status: 201, body: { number: 1 } });
    const { id, api: runner } = await keyWith({ scope: 'org', grants: ['actions.execute'] });
    const call = await runner.post('/api/v1/actions/execute', own.createIssue, { 'x-request-id': 'used-1' });
    expect(call.status).toBe(200);
    const [entry] = await entriesOf(`actor=${id}`, 1);
    const { executions } = (await api.get(`/api/v1/executions?workspaceId=${own.workspaceId}&limit=1`)).body;
    expect(entry).toMatchObject({
      workspaceId: own.workspaceId,
      action: 'connection.use',
      resource: { type: 'connection', id: executions[0].connectionId, name: 'github' },
      outcome: 'allowed',
      reason: `create_issue, execution ${executions[0].id}`,
      requestId: 'used-1',
      address: expect.stringMatching(/127\.0\.0\.1$/),
    });
  });

  it('is recorded when a caller looks it up', async () => {
    const { id, api: reader } = await keyWith({ scope: 'org', grants: ['connections.read'] });
    const wanted = { integrationName: 'github', workspaceId: own.workspaceId };
    const { body, status } = await reader.post('/api/v1/connections/resolve', wanted);
    expect(status).toBe(200);
    const [entry] = await entriesOf(`actor=${id}`, 1);
    expect(entry).toMatchObject({ action: 'connection.resolve', resource: { id: body.connection?.id ?? body.id } });
  });

  it('is never written to the log, nor is a key', async () => {
    const { body } = await api.post('/api/v1/api-keys', { name: 'Canary' });
    await entriesOf(`resourceId=${body.apiKey.id}`, 1);
    const text = JSON.stringify((await api.get('/api/v1/audit-log?limit=100')).body);
    expect(text).not.toContain(body.plainKey.slice(8));
    expect(text).not.toContain('svc_');
    expect(text).not.toMatch(/ghp_|gho_/);
  });
});
