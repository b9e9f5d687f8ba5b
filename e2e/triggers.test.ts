// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, UNKNOWN_ID, expectInvalid, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { provider } from './support/provider.js';
import { databaseContents } from './support/stored-contents.js';
import { CALLBACK, keyIn, pushTrigger, repositoryHooks, simulatedTrigger, TRIGGERS } from './support/triggers.js';

const { afterAll, afterEach, beforeAll, beforeEach, describe, it } = testsOf(import.meta);

export const OPERATIONS: Operations = {
  ListTriggers: { call: ({ workspaceId }) => ({ query: { workspaceId } }) },
  EnableTrigger: {
    call: ({ workspaceId, integrationId: workspaceIntegrationId }) => ({
      body: pushTrigger({ workspaceId }, { simulate: true, integrationAlias: undefined, workspaceIntegrationId }),
    }),
    ids: { 'body.workspaceIntegrationId': 'integrationId' },
  },
  DisableTrigger: {
    call: async (own) => ({ body: { triggerSourceId: (await simulatedTrigger(own.api, own)).id } }),
    ids: { 'body.triggerSourceId': 'triggerSourceId' },
  },
  TestTrigger: { call: () => ({ body: { integrationName: 'github', triggerName: 'push' } }) },
};

let product: Drawbridge;
let api: Api;
let other: Api;
let github: FakeProvider;
let own: GithubWorkspace;

beforeAll(async () => {
  product = await drawbridge();
  ({ api, other } = product);
  github = await provider();
});
beforeEach(async () => {
  own = await githubWorkspace(api);
});
afterEach(() => github.reset());
afterAll(() => github.stop());

const enable = (changes: object = {}, by = api): Promise<Answer> =>
  by.post(`${TRIGGERS}/enable`, pushTrigger(own, changes));
const disable = (triggerSourceId: unknown, by = api): Promise<Answer> =>
  by.post(`${TRIGGERS}/disable`, { triggerSourceId });
const listed = async (): Promise<any> => (await api.get(`${TRIGGERS}?workspaceId=${own.workspaceId}`)).body;

async function enabled(changes: object = {}): Promise<any> {
  const { status, body } = await enable(changes);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.triggerSource;
}

/** Returns the stored state of the workspace's sources, visible or not. */
const kept = (): Promise<object[]> =>
  rowsOf(
    product.databaseUrl,
    `SELECT 'source' FROM triggers.sources WHERE workspace_id = $1
     UNION ALL SELECT 'secrets' FROM connections.source_secrets WHERE workspace_id = $1`,
    [own.workspaceId],
  );

describe('enabling a trigger', () => {
  it('registers the address at the provider and returns the source, with its secret this once', async () => {
    const hooks = repositoryHooks(github);
    const { status, body } = await enable({ callbackMetadata: { tenant: 'acme' } });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        triggerSource: {
          id: expect.stringMatching(UUID_V7),
          ...{ orgId: product.orgId, triggerType: 'WEBHOOK', integrationName: 'github', triggerName: 'push' },
          ...{ workspaceId: own.workspaceId, workspaceIntegrationId: own.integrationId, integrationAlias: 'gh' },
          webhookUrl: expect.stringMatching(/^https?:\/\/.+\/api\/v1\/webhooks\/github\/[\w-]{32}$/),
          ...{ callbackUrl: CALLBACK, simulate: false, lastDelivery: null, lastPolledAt: null },
          createdAt: expect.stringMatching(TIMESTAMP),
        },
        signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    });
    const [made] = hooks.made();
    const { webhookUrl } = body.triggerSource;
    expect(made?.body).toMatchObject({ events: ['push'], config: { url: webhookUrl, secret: expect.any(String) } });
    expect(made?.headers['authorization']).toContain(own.secret);
    expect(await listed()).toEqual({ triggers: [body.triggerSource], total: 1 });
  });

  it('requires triggers.write, but not actions.execute', async () => {
    repositoryHooks(github);
    expect((await enable({}, await keyIn(product, own, 'triggers.write'))).status).toBe(201);
    expectError(await enable({}, await keyIn(product, own, 'triggers.read', 'actions.execute')), 403, 'FORBIDDEN');
  });

  it('starts polling at the existing items of the provider', async () => {
    github.on('GET /repos/acme/app/issues', { body: [] });
    const source = await enabled({ triggerName: 'new_issue', pollingIntervalMinutes: 1440 });
    expect(source).toMatchObject({ triggerType: 'POLLING', webhookUrl: null });
    expect(github.requests).toHaveLength(1);
  });

  it('with simulation calls no provider and delivers the sample event', async () => {
    const source = await enabled({ simulate: true, integrationAlias: undefined });
    expect(source).toMatchObject({ simulate: true, triggerType: 'WEBHOOK', webhookUrl: null });
    expect(github.requests).toEqual([]);
    const { sampleData } = (await api.post(`${TRIGGERS}/test`, { integrationName: 'github', triggerName: 'push' }))
      .body;
    const events = `SELECT payload, simulate FROM triggers.events WHERE source_id = $1`;
    expect(await rowsOf(product.databaseUrl, events, [source.id])).toEqual([{ payload: sampleData, simulate: true }]);
    expect((await api.get(`${TRIGGERS}/${source.id}/deliveries`)).body.deliveries).toHaveLength(1);
  });

  it('stores no secret in readable form', async () => {
    repositoryHooks(github);
    const canary = `canary-${own.secret}`;
    const { body } = await enable({ callbackHeaders: { authorization: canary } });
    const { secret } = github.requests.find(({ method }) => method === 'POST')!.body.config;
    const contents = await databaseContents(product.databaseUrl);
    expect(contents).toContain(body.triggerSource.id);
    for (const text of [canary, body.signingSecret, secret]) {
      expect(contents).not.toContain(text);
      expect(product.logs()).not.toContain(text);
    }
  });

  it('leaves no rows where the provider refuses', async () => {
    repositoryHooks(github, { status: 422, body: { message: 'Validation Failed' } });
    const answer = await enable();
    expectError(answer, 400, 'ACTION_FAILED');
    expect(answer.body.details).toMatchObject({ provider: { status: 422 }, retryable: false });
    expect(await listed()).toEqual({ triggers: [], total: 0 });
    expect(await kept()).toEqual([]);
  });
});

it('enabling a trigger unsubscribes again where its connection is deleted meanwhile', async () => {
  let answer = (): void => undefined;
  const until = new Promise<void>((resolve) => (answer = resolve));
  const hooks = repositoryHooks(github, { status: 201, body: { id: 7 }, until });
  const enabling = enable();
  await github.received(({ method }) => method === 'POST');
  expect(await api.delete(`/api/v1/connections/${own.connectionId}`)).toMatchObject({ status: 200 });
  const disabled = "SELECT 1 AS one FROM triggers.sources WHERE workspace_id = $1 AND status = 'disabling'";
  await eventually(async () =>
    expect(await rowsOf(product.databaseUrl, disabled, [own.workspaceId])).toEqual([{ one: 1 }]),
  );
  answer();
  expectError(await enabling, 503, 'UNAVAILABLE');
  await eventually(async () => expect(hooks.ended()).toEqual(['/repos/acme/app/hooks/7']));
  await eventually(async () => expect(await kept()).toEqual([]));
});

describe('disabling a trigger', () => {
  it('ends it at once, and at the provider soon after', async () => {
    const hooks = repositoryHooks(github);
    const { id } = await enabled();
    expect(await disable(id)).toMatchObject({ status: 200, body: { disabled: true, triggerSourceId: id } });
    expect(await listed()).toEqual({ triggers: [], total: 0 });
    expectError(await disable(id), 404, 'NOT_FOUND');
    await eventually(async () => expect(hooks.ended()).toEqual(['/repos/acme/app/hooks/7']));
    await eventually(async () => expect(await kept()).toEqual([]));
  });

  it('succeeds for one of two concurrent requests', async () => {
    const { id } = await enabled({ simulate: true });
    const answers = await Promise.all([disable(id), disable(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it('succeeds even if the provider refuses to unsubscribe', async () => {
    repositoryHooks(github);
    const { id } = await enabled();
    github.on('DELETE /repos/acme/app/hooks/7', { status: 422, body: { message: 'No' } });
    expect((await disable(id)).status).toBe(200);
    await eventually(async () => expect(await kept()).toEqual([]));
    expect(product.logs()).toContain(id);
  });

  it('answers 400 without an id, and 404 for an unknown id or one of another organization', async () => {
    const { id } = await enabled({ simulate: true });
    expectError(await disable(undefined), 400, 'MISSING_ID');
    expectInvalid(await disable('x'), 'triggerSourceId');
    expectError(await disable(UNKNOWN_ID), 404, 'NOT_FOUND');
    expectError(await disable(id, other), 404, 'NOT_FOUND');
    expect((await listed()).total).toBe(1);
  });
});
