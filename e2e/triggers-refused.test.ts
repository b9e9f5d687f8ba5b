// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { newPolicy } from './support/approvals.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectWithinASecond } from './support/expect-within.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { fresh } from './support/owned-resources.js';
import { provider } from './support/provider.js';
import { pushTrigger, repositoryHooks, TRIGGERS } from './support/triggers.js';
import { newConnection, newIntegration, newWorkspace } from './support/workspace-integrations.js';

let product: Drawbridge;
let api: Api;
let other: Api;
let github: FakeProvider;
let own: GithubWorkspace;

beforeAll(async () => {
  product = await drawbridge();
  ({ api, other } = product);
  github = await provider();
  own = await githubWorkspace(api);
});
beforeEach(() => void repositoryHooks(github));
afterEach(() => github.reset());
afterAll(() => github.stop());

const enable = (changes: object = {}): Promise<Answer> => api.post(`${TRIGGERS}/enable`, pushTrigger(own, changes));
const hooks = (): any[] => github.requests.filter(({ method }) => method === 'POST').map(({ url }) => url);

describe('enabling a trigger refuses, before any call to the provider,', () => {
  afterEach(() => expect(github.requests).toEqual([]));

  it.each<[object, string[]]>([
    [{ integrationName: undefined, triggerName: undefined, more: 1 }, ['integrationName', 'triggerName', 'more']],
    [{ callbackUrl: undefined, workspaceId: undefined }, ['callbackUrl', 'workspaceId']],
    [{ callbackUrl: 'http://acme.example/' }, ['callbackUrl']],
    [{ callbackUrl: 'https://10.0.0.1/' }, ['callbackUrl']],
    [{ callbackUrl: ' https://acme.example/' }, ['callbackUrl']],
    [{ callbackUrl: 'https://acme.ex\r\nample/' }, ['callbackUrl']],
    [
      { callbackUrl: 'nowhere', callbackHeaders: { Host: 'x', 'webhook-id': 'x', 'x-ok': 'x' } },
      ['callbackUrl', 'callbackHeaders.Host', 'callbackHeaders.webhook-id'],
    ],
    [{ callbackMetadata: { text: 'x'.repeat(16 * 1024) } }, ['callbackMetadata']],
    [{ pollingIntervalMinutes: 0 }, ['pollingIntervalMinutes']],
    [{ pollingIntervalMinutes: 1441 }, ['pollingIntervalMinutes']],
    [{ pollingIntervalMinutes: 5 }, ['pollingIntervalMinutes']],
    [{ input: {} }, ['input.repo']],
    [{ input: { repo: 'acme/app', branch: 'x' } }, ['input.branch']],
    [{ integrationAlias: 'other' }, ['integrationAlias']],
    [{ workspaceIntegrationId: UNKNOWN_ID }, ['workspaceIntegrationId']],
    [{ partialIds: [UNKNOWN_ID] }, ['partialIds[0]']],
    [{ simulate: 'yes' }, ['simulate']],
  ])('%j', async (changes, keys) => {
    expectInvalid(await enable(changes), ...keys);
  });

  it.each<[object, number, string]>([
    [{ integrationName: 'nothing' }, 404, 'INTEGRATION_NOT_FOUND'],
    [{ integrationName: 'constructor' }, 404, 'INTEGRATION_NOT_FOUND'],
    [{ triggerName: 'nothing' }, 404, 'TRIGGER_NOT_FOUND'],
    [{ triggerName: 'toString' }, 404, 'TRIGGER_NOT_FOUND'],
    [{ workspaceId: UNKNOWN_ID }, 404, 'NOT_FOUND'],
    [{ connectionExternalId: 'unknown' }, 400, 'CONNECTION_NOT_FOUND'],
  ])('%j with %i %s', async (changes, status, code) => {
    expectError(await enable(changes), status, code);
  });

  it('triggers that a policy blocks, with the policy', async () => {
    const { workspaceId } = own;
    const policy = await newPolicy(api, { workspaceId, decision: 'block', sources: ['trigger'] });
    await expectWithinASecond(async () => expectError(await enable(), 403, 'FORBIDDEN'));
    github.reset();
    expect((await enable()).body.details).toMatchObject({ policyId: policy.id });
    await api.delete(`/api/v1/approval-policies/${policy.id}`);
  });

  it('a workspace without a connection', async () => {
    const workspaceId = await newWorkspace(api);
    expectError(await enable({ workspaceId, integrationAlias: undefined }), 400, 'CONNECTION_REQUIRED');
  });

  it('an end user without a connection, where the strategy is per_user', async () => {
    const workspaceId = await newWorkspace(api);
    await newIntegration(api, workspaceId, { integrationName: 'github', alias: 'gh', connectionStrategy: 'per_user' });
    const answer = await enable({ workspaceId });
    expectError(answer, 400, 'CONNECTION_REQUIRED');
    expect(answer.body.details).toMatchObject({ reason: 'no_end_user' });
    expectError(await enable({ workspaceId, endUserId: 'jane' }), 400, 'CONNECTION_REQUIRED');
  });
});

describe('an enabled trigger uses', () => {
  it('the named connection, without a configured integration', async () => {
    const workspaceId = await newWorkspace(api);
    const externalId = fresh();
    await newConnection(api, { externalId, secretText: 'ghp_named', scope: 'WORKSPACE', workspaceId });
    const named = { workspaceId, integrationAlias: undefined, connectionExternalId: externalId };
    const { status, body } = await enable(named);
    expect({ status, body }).toMatchObject({ status: 201, body: { triggerSource: { workspaceIntegrationId: null } } });
    expect(github.requests.at(-1)?.headers['authorization']).toContain('ghp_named');
  });

  it.each<[string, object]>([
    ['while it is being enabled', { simulate: false }],
    ['when it is simulated', { simulate: true }],
  ])('the named connection from the start instead of the configured one, %s', async (_, changes) => {
    const { workspaceId } = await githubWorkspace(api);
    const externalId = fresh();
    const id = await newConnection(api, { externalId, scope: 'WORKSPACE', workspaceId });
    let seen: object[] = [];
    const look = `SELECT connection_id AS id FROM triggers.sources WHERE workspace_id = $1`;
    github.on('GET /repos/acme/app/hooks', async () => {
      seen = await rowsOf(product.databaseUrl, look, [workspaceId]);
      return { body: [] };
    });
    expect((await enable({ workspaceId, connectionExternalId: externalId, ...changes })).status).toBe(201);
    if (seen.length === 0) seen = await rowsOf(product.databaseUrl, look, [workspaceId]);
    expect(seen).toEqual([{ id }]);
  });

  it('no connection when it is simulated without one, and no unknown one', async () => {
    const workspaceId = await newWorkspace(api);
    const simulated = { workspaceId, integrationAlias: undefined, simulate: true };
    expect((await enable(simulated)).status).toBe(201);
    expectError(await enable({ ...simulated, connectionExternalId: 'unknown' }), 400, 'CONNECTION_NOT_FOUND');
  });

  it('the end user’s connection', async () => {
    const workspaceId = await newWorkspace(api);
    await newIntegration(api, workspaceId, { integrationName: 'github', alias: 'gh', connectionStrategy: 'per_user' });
    const jane = { secretText: 'ghp_jane', scope: 'USER', workspaceId, endUserId: 'jane' };
    await newConnection(api, jane);
    expect((await enable({ workspaceId, endUserId: 'jane' })).status).toBe(201);
    expect(github.requests.at(-1)?.headers['authorization']).toContain('ghp_jane');
  });

  it('the configured connection as a fallback for an end user without one', async () => {
    const workspaceId = await newWorkspace(api);
    const connectionId = await newConnection(api, { secretText: 'ghp_shared', scope: 'WORKSPACE', workspaceId });
    const strategy = { connectionStrategy: 'per_user_with_fallback', connectionId };
    await newIntegration(api, workspaceId, { integrationName: 'github', alias: 'gh', ...strategy });
    await newConnection(api, { secretText: 'ghp_joe', scope: 'USER', workspaceId, endUserId: 'joe' });
    for (const [endUserId, token] of [
      ['jane', 'ghp_shared'],
      ['joe', 'ghp_joe'],
    ]) {
      expect((await enable({ workspaceId, endUserId })).status).toBe(201);
      expect(github.requests.at(-1)?.headers['authorization']).toContain(token);
    }
  });

  it('partials beneath its input, and enforced values over it', async () => {
    const { workspaceId } = await githubWorkspace(api);
    const partial = {
      workspaceId,
      integrationName: 'github',
      integrationAlias: 'gh',
      triggerName: 'push',
      name: fresh(),
    };
    const enforcing = { ...partial, values: { repo: 'acme/other' }, enforcedKeys: ['repo'], isDefault: true };
    expect((await api.post('/api/v1/partials', enforcing)).status).toBe(201);
    github.on('GET /repos/acme/other/hooks', { body: [] });
    expect((await enable({ workspaceId })).status).toBe(201);
    expect((await enable({ workspaceId, partialIds: [] })).status).toBe(201);
    expect(hooks()).toEqual(['/repos/acme/other/hooks', '/repos/acme/app/hooks']);
  });
});

describe('testing a trigger', () => {
  const test = (body: object, by = api): Promise<Answer> => by.post(`${TRIGGERS}/test`, body);

  it('returns a sample event', async () => {
    const { status, body } = await test({ integrationName: 'github', triggerName: 'push' }, other);
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 200, keys: ['sampleData'] });
    expect(Object.keys(body.sampleData).length).toBeGreaterThan(0);
  });

  it.each<[object, number, string]>([
    [{}, 400, 'MISSING_FIELDS'],
    [{ integrationName: 'github' }, 400, 'MISSING_FIELDS'],
    [{ triggerName: 'push' }, 400, 'MISSING_FIELDS'],
    [{ integrationName: 'nothing', triggerName: 'push' }, 404, 'INTEGRATION_NOT_FOUND'],
    [{ integrationName: 'github', triggerName: 'nothing' }, 404, 'TRIGGER_NOT_FOUND'],
  ])('%j is refused with %i %s', async (body, status, code) => {
    expectError(await test(body), status, code);
  });

  it('reports unknown keys and wrong types', async () => {
    expectInvalid(await test({ integrationName: 5, triggerName: 'push', more: 1 }), 'integrationName', 'more');
  });
});
