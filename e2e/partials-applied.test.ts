// Shapes: local
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { fresh } from './support/owned-resources.js';
import { provider } from './support/provider.js';
import { newConnection, newIntegration } from './support/workspace-integrations.js';

const EXECUTE = '/api/v1/actions/execute';

let api: Api;
let other: Api;
let github: FakeProvider;
let own: GithubWorkspace;

beforeAll(async () => {
  ({ api, other } = await drawbridge());
  github = await provider();
});
beforeEach(async () => {
  own = await githubWorkspace(api);
});
afterEach(() => github.reset());
afterAll(() => github.stop());

/** Creates an input partial (stored values for the input) for the executed action, or for the action in `fields`. Returns its id. */
async function partial(values: object, fields: object = {}, by = api): Promise<string> {
  const { workspaceId } = own;
  const facts = { workspaceId, integrationName: 'github', integrationAlias: 'gh', actionName: 'create_issue' };
  const { status, body } = await by.post('/api/v1/partials', { ...facts, name: fresh(), values, ...fields });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.partial.id;
}

const REPO = 'acme/app';
const execute = (changes: object = {}): Promise<Answer> => api.post(EXECUTE, { ...own.createIssue, ...changes });

/** Returns the last request that GitHub received. */
const sent = (): any => {
  const { url, body } = github.requests.at(-1)!;
  return { url, ...body };
};

describe('the input of an execution', () => {
  it('is unchanged where partials exist and none applies', async () => {
    await partial({ labels: ['bug'] });
    await partial({ labels: ['bug'] }, { actionName: 'update_issue', isDefault: true });
    expect((await execute({ input: { repo: REPO, title: 'Plain' } })).status).toBe(200);
    expect(sent()).toEqual({ url: `/repos/${REPO}/issues`, title: 'Plain' });
  });

  it('is merged over the default partials, oldest first, and those for all actions as far as the action has their fields', async () => {
    await partial({ repo: REPO, path: 'README.md', labels: ['old'] }, { actionName: undefined, isDefault: true });
    await partial({ labels: ['new'], title: 'Default', body: 'Kept' }, { isDefault: true });
    expect((await execute({ input: { title: 'Mine' } })).status).toBe(200);
    expect(sent()).toEqual({ url: `/repos/${REPO}/issues`, title: 'Mine', body: 'Kept', labels: ['new'] });
  });

  it('is merged over the named partials in their order instead of the default ones, and over none for an empty list', async () => {
    const one = await partial({ labels: ['one'], body: 'One' });
    const two = await partial({ labels: ['two'] });
    await partial({ milestone: 7, body: 'Default' }, { isDefault: true });
    const input = { repo: REPO, title: 'T' };
    await execute({ input, partialIds: [two, one.toUpperCase()] });
    expect(sent()).toMatchObject({ labels: ['one'], body: 'One' });
    await execute({ input, partialIds: [one, two] });
    expect(sent()).toEqual({ url: `/repos/${REPO}/issues`, title: 'T', labels: ['two'], body: 'One' });
    await execute({ input, partialIds: [] });
    expect(sent()).toEqual({ url: `/repos/${REPO}/issues`, title: 'T' });
  });

  it('cannot override an enforced key, clears a default with null, and is logged as it ran', async () => {
    const values = { repo: 'acme/only', labels: ['bug'], body: null };
    await partial(values, { enforcedKeys: ['repo', 'body'], isDefault: true });
    expect((await execute({ input: { repo: REPO, title: 'T', body: 'B', labels: null } })).status).toBe(200);
    expect(sent()).toEqual({ url: '/repos/acme/only/issues', title: 'T' });
    const { executions } = (await api.get(`/api/v1/executions?workspaceId=${own.workspaceId}`)).body;
    expect(executions[0].input).toEqual({ repo: 'acme/only', title: 'T' });
  });

  it('skips enforced keys with an empty list, as docs/input-partials.md warns', async () => {
    await partial({ repo: 'acme/only' }, { enforcedKeys: ['repo'], isDefault: true });
    expect((await execute({ input: { repo: REPO, title: 'T' }, partialIds: [] })).status).toBe(200);
    expect(sent()).toEqual({ url: `/repos/${REPO}/issues`, title: 'T' });
    const page = readFileSync(join(import.meta.dirname, '../docs/input-partials.md'), 'utf8');
    expect(page).toMatch(/Enforced keys are no security boundary[\s\S]+`"partialIds": \[\]` skips/);
  });

  it('is validated after the merge', async () => {
    await partial({ repo: REPO }, { isDefault: true });
    expectInvalid(await execute({ input: { tittle: 'x' } }), 'input.title', 'input.tittle');
    expectInvalid(await execute({ input: { title: 'x', repo: null } }), 'input.repo');
    expect(github.requests).toHaveLength(0);
  });
});

describe('partialIds', () => {
  it('must belong to this configured integration and action, and are reported by index', async () => {
    const { workspaceId, connectionId } = own;
    const second = await newIntegration(api, workspaceId, { integrationName: 'github', alias: 'two', connectionId });
    const hash = await newIntegration(api, workspaceId);
    const good = await partial({ labels: [] });
    const ofAction = await partial({}, { actionName: 'comment' });
    const ofAlias = await partial({}, { integrationAlias: second.alias });
    const ofIntegration = await partial(
      {},
      { integrationName: 'hash-encode', integrationAlias: hash.alias, actionName: 'hash' },
    );
    const mine = own;
    own = await githubWorkspace(api);
    const ofWorkspace = await partial({});
    own = await githubWorkspace(other);
    const ofOther = await partial({}, {}, other);
    own = mine;
    const wrong = [ofAction, ofAlias, ofIntegration, ofWorkspace, ofOther, UNKNOWN_ID, 'x'];
    const places = wrong.map((_, index) => `partialIds[${index + 1}]`);
    expectInvalid(await execute({ partialIds: [good, ...wrong] }), ...places);
    expect(github.requests).toHaveLength(0);
    expect((await execute({ partialIds: [good] })).status).toBe(200);
  });

  it('are refused for a call without a configured integration', async () => {
    const call = { integrationName: 'hash-encode', actionName: 'hash', integrationAlias: undefined };
    const hash = { ...call, input: { text: 'a', algorithm: 'md5' } };
    expectInvalid(await execute({ ...hash, partialIds: [await partial({})] }), 'partialIds[0]');
    expect((await execute(hash)).status).toBe(200);
  });

  it('are limited to 10 texts', async () => {
    const id = await partial({});
    expect((await execute({ partialIds: Array(10).fill(id) })).status).toBe(200);
    expectInvalid(await execute({ partialIds: Array(11).fill(id) }), 'partialIds');
    expectInvalid(await execute({ partialIds: 'all' }), 'partialIds');
    expectInvalid(await execute({ partialIds: [7] }), 'partialIds[0]');
  });
});

it('an update or a deletion takes effect at the next execution', async () => {
  const id = await partial({ repo: REPO, labels: ['one'] }, { isDefault: true });
  const labels = async (): Promise<unknown> => {
    expect((await execute({ input: { title: 'T', repo: REPO } })).status).toBe(200);
    return sent().labels;
  };
  expect(await labels()).toEqual(['one']);
  await api.patch(`/api/v1/partials/${id}`, { values: { labels: ['two'] } });
  expect(await labels()).toEqual(['two']);
  await api.post(`/api/v1/partials/${id}/set-default`, { isDefault: false });
  expect(await labels()).toBeUndefined();
  expect((await execute({ partialIds: [id] })).status).toBe(200);
  await api.delete(`/api/v1/partials/${id}`);
  expectInvalid(await execute({ partialIds: [id] }), 'partialIds[0]');
});

it('an idempotency key compares the request, not the current partials', async () => {
  const id = await partial({ labels: ['one'] }, { isDefault: true });
  const keyed = { idempotencyKey: fresh() };
  expect((await execute(keyed)).status).toBe(200);
  await api.patch(`/api/v1/partials/${id}`, { values: { labels: ['two'] } });
  expect((await execute(keyed)).status).toBe(200);
  expect(github.requests).toHaveLength(1);
  expectInvalid(await execute({ ...keyed, partialIds: [] }), 'idempotencyKey');
});

it('an end user has a connection of their own and shares the partials', async () => {
  const { workspaceId } = own;
  const alias = { integrationAlias: 'each' };
  await newIntegration(api, workspaceId, { integrationName: 'github', alias: 'each', connectionStrategy: 'per_user' });
  await newConnection(api, { scope: 'USER', workspaceId, endUserId: 'ann', secretText: 'ghp_of_ann' });
  await partial({ labels: ['each'] }, { ...alias, isDefault: true });
  expect((await execute({ ...alias, endUserId: 'ann' })).status).toBe(200);
  expect(sent()).toMatchObject({ labels: ['each'] });
});
