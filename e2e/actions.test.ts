// Shapes: local
import { type FakeProvider, fakeProvider } from '@drawbridge/testkit';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { provider } from './support/provider.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { untilCachesExpire } from './support/until-caches-expire.js';
import { newConnection, newIntegration } from './support/workspace-integrations.js';

const { afterAll, afterEach, beforeAll, describe, it } = testsOf(import.meta);

const EXECUTE = '/api/v1/actions/execute';

export const OPERATIONS: Operations = {
  ExecuteAction: {
    call: ({ createIssue, integrationId: workspaceIntegrationId }) => ({
      body: { ...createIssue, workspaceIntegrationId },
    }),
    ids: { 'body.workspaceIntegrationId': 'integrationId' },
  },
};

describe('POST /api/v1/actions/execute', () => {
  let product: Drawbridge;
  let github: FakeProvider;
  let workspace: GithubWorkspace;

  beforeAll(async () => {
    product = await drawbridge();
    github = await provider();
    workspace = await githubWorkspace(product.api);
  });
  afterEach(() => github.reset());
  afterAll(() => github.stop());

  const execute = (changes: object = {}) => product.api.post(EXECUTE, { ...workspace.createIssue, ...changes });

  const configure = async (fields: object): Promise<void> => {
    const { workspaceId, integrationId } = workspace;
    await product.api.patch(`/api/v1/workspaces/${workspaceId}/integrations/${integrationId}`, fields);
    await untilCachesExpire();
  };

  it('reports every problem of the body at once', async () => {
    const answer = await product.api.post(EXECUTE, { integrationName: 'github', workspaceId: 'x', input: 5, more: 1 });
    expectInvalid(answer, 'actionName', 'workspaceId', 'input', 'more');
  });

  it.each([
    ['integration', { integrationName: 'githb' }, 'Integration githb not found. Did you mean github?'],
    [
      'unknown integration',
      { integrationName: 'zzz' },
      /not found\. GET \/api\/v1\/integrations\?summary=true lists the names\.$/,
    ],
    ['action', { actionName: 'createIssue' }, /github has no such action\. Did you mean create_issue\? It has /],
    ['key of the input', { input: { repo: 'a/b', titel: 'x' } }, /input\.titel: unknown key\. Did you mean title\?/],
  ])('suggests the name of a misspelt %s', async (_, fields, message) => {
    const { status, body } = await execute(fields);
    expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringMatching(message) });
  });

  it('reports unknown keys, missing keys and wrong types in the input', async () => {
    const answer = await execute({ input: { repo: 'acme/app', tittle: 'x', labels: 'bug' } });
    expectInvalid(answer, 'input.title', 'input.tittle', 'input.labels');
    expect(github.requests).toHaveLength(0);
  });

  it('refuses an unknown integration with 400 INTEGRATION_NOT_FOUND', async () => {
    expectError(
      await execute({ integrationName: 'nothing', integrationAlias: undefined }),
      400,
      'INTEGRATION_NOT_FOUND',
    );
  });

  it('refuses an unknown action by its key', async () => {
    expectInvalid(await execute({ actionName: 'nothing' }), 'actionName');
    expectInvalid(await execute({ actionName: 'constructor' }), 'actionName');
  });

  it('refuses an alias or a configured integration that the workspace does not have', async () => {
    expectInvalid(await execute({ integrationAlias: 'other' }), 'integrationAlias');
    expectInvalid(await execute({ workspaceIntegrationId: UNKNOWN_ID }), 'workspaceIntegrationId');
  });

  it('uses the configured integration that the call names, by id before alias, and requires a name where there are several', async () => {
    const own = await githubWorkspace(product.api);
    const { workspaceId, createIssue } = own;
    const changes = { scope: 'WORKSPACE', workspaceId, secretText: 'ghp_of_the_second' };
    const connectionId = await newConnection(product.api, changes);
    const second = { integrationName: 'github', alias: 'second', connectionId };
    const { id } = await newIntegration(product.api, workspaceId, second);
    const usedBy = async (selector: object): Promise<unknown> => {
      const { status } = await product.api.post(EXECUTE, { ...createIssue, integrationAlias: undefined, ...selector });
      return status === 200 ? github.requests.at(-1)?.headers['authorization'] : status;
    };
    expect(await usedBy({ integrationAlias: 'gh' })).toBe(`Bearer ${own.secret}`);
    expect(await usedBy({ integrationAlias: 'second' })).toBe('Bearer ghp_of_the_second');
    expect(await usedBy({ integrationAlias: 'gh', workspaceIntegrationId: id })).toBe('Bearer ghp_of_the_second');
    const unnamed = await product.api.post(EXECUTE, { ...createIssue, integrationAlias: undefined });
    expectInvalid(unnamed, 'integrationAlias');
    expect(unnamed.body.error).toContain('gh, second');
  });

  it('refuses an unknown workspace with 404', async () => {
    expectError(await execute({ workspaceId: UNKNOWN_ID }), 404, 'NOT_FOUND');
  });

  it('refuses an unknown connection with 400 CONNECTION_NOT_FOUND', async () => {
    expectError(await execute({ connectionExternalId: 'absent' }), 400, 'CONNECTION_NOT_FOUND');
  });

  it('refuses an action that is not enabled with 403', async () => {
    await configure({ enabledActions: ['get_file'] });
    expectError(await execute(), 403, 'FORBIDDEN');
    await configure({ enabledActions: null });
    expect((await execute()).status).toBe(200);
  });

  it('answers CONNECTION_REQUIRED where the strategy finds no connection', async () => {
    await configure({ connectionStrategy: 'per_user' });
    expectError(await execute({ endUserId: 'unknown' }), 400, 'CONNECTION_REQUIRED');
    expectError(await execute(), 400, 'CONNECTION_REQUIRED');
    await configure({ connectionStrategy: 'fixed' });
  });

  it('answers ACTION_FAILED with the error of the provider', async () => {
    github.on('*', { status: 422, body: { message: 'Validation Failed', errors: [{ field: 'title' }] } });
    const answer = await execute();
    expectError(answer, 400, 'ACTION_FAILED');
    expect(answer.body.details).toMatchObject({ provider: { status: 422 }, retryable: false });
    expect(answer.body.details.provider.message).toContain('Validation Failed');
  });

  it.each([
    ['no for a write that may have succeeded', {}, 503, false],
    ['yes for a write that was rate-limited', {}, 429, true],
    ['yes for a read', { actionName: 'list_commits', input: { repo: 'acme/app' } }, 503, true],
  ])('says whether a call can be retried after a provider error: %s', async (_what, changes, status, retryable) => {
    github.on('*', { status, body: 'down' });
    const answer = await execute(changes);
    expectError(answer, 400, 'ACTION_FAILED');
    expect(answer.body.details).toMatchObject({ provider: { status }, retryable });
  });

  it('retries a read once on a rate-limited provider, but never a write', async () => {
    const requests = async (changes: object) => {
      github.reset();
      const busy = { status: 429, headers: { 'retry-after': '0' } };
      github.on('*', () => (github.requests.length === 1 ? busy : { body: [] }));
      return [(await execute(changes)).status, github.requests.length];
    };
    expect(await requests({ actionName: 'list_commits', input: { repo: 'acme/app' } })).toEqual([200, 2]);
    expect(await requests({})).toEqual([400, 1]);
  });

  it('passes on a long retry-after of the provider', async () => {
    github.on('*', { status: 503, headers: { 'retry-after': '31' } });
    const answer = await execute({ actionName: 'list_commits', input: { repo: 'acme/app' } });
    expectError(answer, 400, 'ACTION_FAILED');
    expect(answer.body.details).toMatchObject({ provider: { status: 503, retryAfter: 31 }, retryable: true });
  });

  it('redacts the credential, even where the provider echoes it', async () => {
    const { secret } = workspace;
    const basic = Buffer.from(`x:${secret}`).toString('base64');
    github.on('*', { status: 500, body: { message: `bad token ${secret}, ${basic}, ${encodeURIComponent(secret)}` } });
    const text = JSON.stringify((await execute()).body);
    expect(text).toContain('[redacted]');
    expect(text).not.toContain(secret);
    expect(text).not.toContain(basic);
  });

  it('fails at once when the provider resets the connection', async () => {
    github.on('*', { reset: true });
    const answer = await execute();
    expectError(answer, 400, 'ACTION_FAILED');
    expect(answer.body.details.provider.code).toBe('UNREACHABLE');
  });

  it('refuses a private address before it opens a connection', async () => {
    const inside = await fakeProvider();
    const { workspaceId } = workspace;
    const input = { method: 'GET', url: `http://127.0.0.1:${inside.port}/` };
    const body = { integrationName: 'http', actionName: 'send_request', workspaceId, input };
    const answer = await product.api.post(EXECUTE, body);
    await inside.stop();
    expectError(answer, 400, 'ACTION_FAILED');
    const provider = expect.objectContaining({ code: 'EGRESS_DENIED' });
    expect(answer.body.details).toEqual({ provider, retryable: false });
    expect(inside.connections()).toBe(0);
  });

  it('runs an action that needs no connection and no configuration', async () => {
    const { workspaceId } = workspace;
    const body = {
      integrationName: 'hash-encode',
      actionName: 'hash',
      workspaceId,
      input: { text: 'abc', algorithm: 'sha256' },
    };
    const answer = await product.api.post(EXECUTE, body);
    expect(answer.body.output).toEqual({ result: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' });
  });
});
