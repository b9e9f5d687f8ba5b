// Shapes: local
import { type Answer, type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectInvalid } from './support/expect.js';
import { newConnection, newIntegration, newWorkspace, pathOf, unique } from './support/workspace-integrations.js';

let api: Api;
let workspaceId: string;
let connectionId: string;

beforeAll(async () => {
  ({ api } = await drawbridge());
  workspaceId = await newWorkspace(api);
  connectionId = await newConnection(api);
});

const change = (id: string, body: object): Promise<Answer> => api.patch(pathOf(workspaceId, id), body);
const said = { connectionStatus: 'ACTIVE', connectionDisplayName: 'Octocat', connectionExternalId: expect.any(String) };
const nothing = { connectionStatus: null, connectionDisplayName: null, connectionExternalId: null };

describe('the connection fields of a configured integration', () => {
  it('are in the responses to creating and updating, as in the list', async () => {
    const made = await newIntegration(api, workspaceId, { integrationName: 'github', connectionId });
    expect(made).toMatchObject({ connectionId, ...said });
    const changed = (await change(made.id, { displayName: 'Work' })).body.integration;
    expect(changed).toMatchObject({ connectionId, ...said });
    const { integrations } = (await api.get(pathOf(workspaceId))).body;
    expect(integrations.find(({ id }: { id: string }) => id === made.id)).toEqual(changed);
  });

  it('change with the chosen connection', async () => {
    const { id } = await newIntegration(api, workspaceId, { integrationName: 'github', connectionId });
    const other = await newConnection(api, { displayName: 'Second' });
    const chosen = (await change(id, { connectionId: other })).body.integration;
    expect(chosen).toMatchObject({ connectionId: other, connectionDisplayName: 'Second' });
  });

  it('are null without a connection', async () => {
    expect(await newIntegration(api, workspaceId)).toMatchObject({ connectionId: null, ...nothing });
  });
});

describe('connectionId: null in an update', () => {
  const cleared = { connectionId: null, ...nothing };

  it('clears it where the strategy needs none', async () => {
    const perUser = { integrationName: 'github', connectionStrategy: 'per_user', connectionId };
    const { id } = await newIntegration(api, workspaceId, perUser);
    expect((await change(id, { connectionId: null })).body.integration).toMatchObject(cleared);
  });

  it('clears it where the integration needs none', async () => {
    const ofHttp = await newConnection(api, { integrationName: 'http' });
    const { id } = await newIntegration(api, workspaceId, { integrationName: 'http', connectionId: ofHttp });
    expect((await change(id, { connectionId: null })).body.integration).toMatchObject(cleared);
  });

  it('is refused where both need a connection, and accepted with a strategy that does not', async () => {
    const { id } = await newIntegration(api, workspaceId, { integrationName: 'github', connectionId, alias: unique() });
    expectInvalid(await change(id, { connectionId: null }), 'connectionId');
    const clearing = { connectionId: null, connectionStrategy: 'per_user_with_fallback' };
    expectInvalid(await change(id, clearing), 'connectionId');
    const answer = await change(id, { ...clearing, connectionStrategy: 'per_user' });
    expect(answer.body.integration).toMatchObject({ ...cleared, connectionStrategy: 'per_user' });
    expectInvalid(await change(id, { connectionStrategy: 'fixed' }), 'connectionId');
  });
});

describe('sortOrder', () => {
  it.each([1.5, -0.25, 1e300, 5e-324, -2_147_483_649])('accepts any finite number: %d', async (sortOrder) => {
    const { id, sortOrder: first } = await newIntegration(api, workspaceId, { sortOrder });
    expect(first).toBe(sortOrder);
    expect((await change(id, { sortOrder: sortOrder / 2 })).body.integration.sortOrder).toBe(sortOrder / 2);
  });

  it('is refused outside of the range of a number', async () => {
    const text = '{"integrationName": "hash-encode", "alias": "endless", "sortOrder": 1e999}';
    const headers = { 'content-type': 'application/json' };
    expectInvalid(await api.send('POST', pathOf(workspaceId), { text, headers }), 'sortOrder');
  });

  it('orders the list', async () => {
    const workspace = await newWorkspace(api);
    for (const sortOrder of [0.2, -1e9, 0.1]) await newIntegration(api, workspace, { sortOrder });
    const { integrations } = (await api.get(pathOf(workspace))).body;
    expect(integrations.map((one: { sortOrder: number }) => one.sortOrder)).toEqual([-1e9, 0.1, 0.2]);
  });
});

it('enabledActions stores each name once and reports the path of an invalid one', async () => {
  const { id, enabledActions } = await newIntegration(api, workspaceId, { enabledActions: ['hash', 'hash', 'hmac'] });
  expect(enabledActions).toEqual(['hash', 'hmac']);
  const repeated = Array<string>(20_000).fill('hash');
  expect((await change(id, { enabledActions: repeated })).body.integration.enabledActions).toEqual(['hash']);
  for (const wrong of ['fly', 7, null]) {
    expectInvalid(await change(id, { enabledActions: ['hash', wrong] }), 'enabledActions[1]');
  }
});
