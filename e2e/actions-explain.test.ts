// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { expectUnchanged } from './support/expect-unchanged.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { provider } from './support/provider.js';
import { newConnection, newIntegration, pathOf } from './support/workspace-integrations.js';

const { afterAll, beforeAll, beforeEach, describe, it } = testsOf(import.meta);

const [EXPLAIN, EXECUTE] = ['/api/v1/actions/explain', '/api/v1/actions/execute'];

export const OPERATIONS: Operations = {
  ExplainAction: {
    call: ({ createIssue, integrationId: workspaceIntegrationId }) => ({
      body: { ...createIssue, workspaceIntegrationId },
    }),
    ids: { 'body.workspaceIntegrationId': 'integrationId' },
  },
};

let product: Drawbridge;
let api: Api;
let github: FakeProvider;
let own: GithubWorkspace;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  github = await provider();
});
beforeEach(async () => {
  own = await githubWorkspace(api);
});
afterAll(() => github.stop());

const ask = (changes: object = {}): Promise<Answer> => api.post(EXPLAIN, { ...own.createIssue, ...changes });

async function explained(changes: object = {}): Promise<any> {
  const { status, body } = await ask(changes);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

/** Returns the error of a real execution in the format of an explanation, so that tests can compare it with the explanation of the same call. */
async function refusal(changes: object = {}): Promise<object> {
  const { status, body } = await api.post(EXECUTE, { ...own.createIssue, ...changes });
  return { status, ...body };
}

const reasons = (candidates: any[]): object => Object.fromEntries(candidates.map(({ id, reason }) => [id, reason]));

describe('an explanation', () => {
  it('names what would be used, and lists no rejected candidates where there are none', async () => {
    const settings = { theme: 'dark' };
    await api.patch(pathOf(own.workspaceId, own.integrationId), { settings });
    const { inputSchema, ...body } = await explained();
    expect(body).toEqual({
      refusal: null,
      instance: { id: own.integrationId, alias: 'gh', connectionStrategy: 'fixed', reason: 'named' },
      connection: { id: own.connectionId, scope: 'WORKSPACE', status: 'ACTIVE', reason: 'fixed' },
      partials: [],
      settings,
      input: own.createIssue.input,
      lost: { instances: [], connections: [], partials: [] },
      policy: null,
    });
    expect(inputSchema).toMatchObject({ type: 'object', required: ['repo', 'title'], additionalProperties: false });
  });

  it('says why each other configured integration is not used', async () => {
    const { workspaceId, connectionId } = own;
    const of = (alias: string) => newIntegration(api, workspaceId, { integrationName: 'github', alias, connectionId });
    const second = await of('second');
    const unnamed = { integrationAlias: undefined };
    const ambiguous = await explained(unnamed);
    expect(ambiguous).toMatchObject({ refusal: await refusal(unnamed), instance: null, connection: null });
    expect(reasons(ambiguous.lost.instances)).toEqual({ [own.integrationId]: 'ambiguous', [second.id]: 'ambiguous' });
    const named = await explained();
    expect(named.instance.reason).toBe('named');
    expect(reasons(named.lost.instances)).toEqual({ [second.id]: 'not_named' });
    const main = await of('github');
    const meant = await explained(unnamed);
    expect(meant.instance).toMatchObject({ id: main.id, reason: 'default' });
    expect(reasons(meant.lost.instances)).toEqual({ [own.integrationId]: 'not_default', [second.id]: 'not_default' });
  });

  it('says why each other connection visible to the call is not used', async () => {
    const { workspaceId, integrationId, connectionId } = own;
    const shared = await newConnection(api);
    const mine = { workspaceId, endUserId: 'ann', scope: 'USER' };
    const [older, newer] = [await newConnection(api, mine), await newConnection(api, mine)];
    await newConnection(api, { ...mine, endUserId: 'bob' });
    const fixed = await explained({ endUserId: 'ann' });
    expect(reasons(fixed.lost.connections)).toEqual({
      [shared]: 'not_configured',
      [older]: 'not_configured',
      [newer]: 'not_configured',
    });
    await api.patch(pathOf(workspaceId, integrationId), { connectionStrategy: 'per_user_with_fallback' });
    const each = await explained({ endUserId: 'ann' });
    expect(each.connection).toMatchObject({ id: newer, reason: 'own' });
    expect(reasons(each.lost.connections)).toEqual({
      [shared]: 'not_configured',
      [connectionId]: 'own_first',
      [older]: 'older',
    });
    expect((await explained({ endUserId: 'eve' })).connection).toMatchObject({ id: connectionId, reason: 'fallback' });
  });

  it('returns the refusal of execute where no connection is found', async () => {
    const { workspaceId, integrationId, connectionId } = own;
    await api.patch(pathOf(workspaceId, integrationId), { connectionStrategy: 'per_user' });
    const unknown = { endUserId: 'unknown' };
    const none = await explained(unknown);
    expect(none).toMatchObject({ refusal: await refusal(unknown), connection: null });
    expect(reasons(none.lost.connections)).toMatchObject({ [connectionId]: 'not_own' });
    const absent = { connectionExternalId: 'absent' };
    expect(await explained(absent)).toMatchObject({ refusal: await refusal(absent), connection: null });
    await api.patch(pathOf(workspaceId, integrationId), { connectionStrategy: 'fixed' });
    await api.post(`/api/v1/connections/${connectionId}/suspend`);
    const suspended = await explained();
    expect(suspended).toMatchObject({ refusal: await refusal(), connection: null });
    expect(reasons(suspended.lost.connections)).toMatchObject({ [connectionId]: 'suspended' });
  });

  it('lists the partials that apply, the resulting input, and why the other partials do not apply', async () => {
    const { workspaceId } = own;
    const make = async (fields: object): Promise<string> => {
      const facts = { workspaceId, integrationName: 'github', actionName: 'create_issue', ...fields };
      return (await api.post('/api/v1/partials', facts)).body.partial.id;
    };
    const enforced = { values: { repo: 'acme/only', labels: ['a'] }, enforcedKeys: ['repo'] };
    const first = await make({ name: 'First', isDefault: true, ...enforced });
    const plain = await make({ name: 'Plain', values: { title: 'T' } });
    const other = await make({ name: 'Other', actionName: 'comment', isDefault: true });
    const byDefault = await explained();
    expect(byDefault.partials).toEqual([{ id: first, name: 'First', reason: 'default' }]);
    expect(byDefault.input).toEqual({ ...own.createIssue.input, repo: 'acme/only', labels: ['a'] });
    expect(byDefault.inputSchema.properties).not.toHaveProperty('repo');
    expect(reasons(byDefault.lost.partials)).toEqual({ [plain]: 'not_default', [other]: 'other_operation' });
    const named = await explained({ partialIds: [plain], input: {} });
    expect(named).toMatchObject({ partials: [{ id: plain, reason: 'named' }], input: { title: 'T' } });
    expect(named.refusal).toEqual(await refusal({ partialIds: [plain], input: {} }));
    expect(named.inputSchema.required).toEqual(['repo']);
    expect(reasons(named.lost.partials)).toEqual({ [first]: 'not_named', [other]: 'other_operation' });
    expect((await explained({ partialIds: [] })).partials).toEqual([]);
  });

  it('returns the first refusal of execute, and still explains the rest', async () => {
    const wrong = { input: { repo: 7, tittle: 'x' } };
    expect(await explained(wrong)).toMatchObject({ refusal: await refusal(wrong), input: wrong.input });
    await api.patch(pathOf(own.workspaceId, own.integrationId), { enabledActions: ['comment'] });
    const disabled = await explained(wrong);
    expect(disabled).toMatchObject({ refusal: await refusal(wrong), connection: { id: own.connectionId } });
    expect(disabled.refusal.status).toBe(403);
  });

  it('covers a call without a configured integration', async () => {
    const bare = { integrationName: 'hash-encode', actionName: 'hash', integrationAlias: undefined };
    const answer = await explained({ ...bare, input: { text: 'a', algorithm: 'md5' } });
    expect(answer).toMatchObject({ refusal: null, instance: null, connection: null, settings: {} });
  });

  it('contains no secret of the input or of a connection', async () => {
    const hmac = { integrationName: 'hash-encode', actionName: 'hmac', integrationAlias: undefined };
    const input = { text: 'a', algorithm: 'sha1', secret: 'canary-of-hmac' };
    const { status, body } = await ask({ ...hmac, input });
    expect({ status, input: body.input }).toEqual({ status: 200, input: { ...input, secret: '[redacted]' } });
    expect(JSON.stringify((await ask()).body)).not.toContain(own.secret);
    const long = await explained({ input: { ...own.createIssue.input, body: 'x'.repeat(60_000) } });
    expect(long.input).toMatchObject({ truncated: true });
  });

  it('runs nothing, records nothing and claims no idempotency key', async () => {
    const keyed = { idempotencyKey: own.secret };
    await expectUnchanged({ owners: [api], github }, async () => void (await explained(keyed)));
    expect(await rowsOf(product.databaseUrl, 'SELECT key FROM execution.claims WHERE key = $1', [own.secret])).toEqual(
      [],
    );
    expect((await api.post(EXECUTE, { ...own.createIssue, ...keyed, input: { repo: 'a/b', title: 'T' } })).status).toBe(
      200,
    );
  });
});

it('refuses unknown names and ids as execute does', async () => {
  expectInvalid(await ask({ actionName: 7, more: 1 }), 'actionName', 'more');
  expectError(await ask({ workspaceId: UNKNOWN_ID }), 404, 'NOT_FOUND');
  expectError(await ask({ integrationName: 'nothing' }), 400, 'INTEGRATION_NOT_FOUND');
  expectInvalid(await ask({ actionName: 'constructor' }), 'actionName');
  expectInvalid(await ask({ integrationAlias: 'other' }), 'integrationAlias');
  expectInvalid(await ask({ workspaceIntegrationId: UNKNOWN_ID }), 'workspaceIntegrationId');
  expectInvalid(await ask({ partialIds: [UNKNOWN_ID] }), 'partialIds[0]');
});
