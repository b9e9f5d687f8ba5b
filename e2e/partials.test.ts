// Shapes: local
import { type Answer, type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { fresh } from './support/owned-resources.js';
import { newIntegration, newWorkspace, pathOf } from './support/workspace-integrations.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/partials';
const ONE = { 'path.id': 'partialId' } as const;

export const OPERATIONS: Operations = {
  ListPartials: {
    call: ({ workspaceId, integrationId }) => ({ query: { workspaceId, workspaceIntegrationId: integrationId } }),
    ids: { 'query.workspaceIntegrationId': 'integrationId' },
  },
  CreatePartial: {
    call: ({ workspaceId, integrationId }) => ({
      body: { workspaceId, integrationName: 'github', workspaceIntegrationId: integrationId, name: fresh() },
    }),
    ids: { 'body.workspaceIntegrationId': 'integrationId' },
  },
  GetPartial: { call: ({ partialId: id }) => ({ path: { id } }), ids: ONE },
  UpdatePartial: { call: ({ partialId: id }) => ({ path: { id }, body: { description: fresh() } }), ids: ONE },
  DeletePartial: {
    call: async ({ api, workspaceId, integrationId: workspaceIntegrationId }) => {
      const made = { workspaceId, integrationName: 'github', workspaceIntegrationId, name: fresh() };
      const { body } = await api.post(PATH, made);
      return { path: { id: body.partial.id } };
    },
    ids: ONE,
  },
  SetDefaultPartial: { call: ({ partialId: id }) => ({ path: { id }, body: { isDefault: false } }), ids: ONE },
};

let api: Api;
let other: Api;
let orgId: string;
let workspaceId: string;
let instance: { id: string; alias: string };

beforeAll(async () => {
  ({ api, other, orgId } = await drawbridge());
  workspaceId = await newWorkspace(api);
  instance = await newIntegration(api, workspaceId, { alias: 'hash-encode' });
});

const HASH = { integrationName: 'hash-encode', actionName: 'hash' };

const create = (fields: object = {}, by = api): Promise<Answer> =>
  by.post(PATH, { workspaceId, ...HASH, name: fresh(), ...fields });

async function partial(fields: object = {}): Promise<any> {
  const { status, body } = await create(fields);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.partial;
}

const list = async (query: object): Promise<any> => {
  const asked = new URLSearchParams({ workspaceId, ...query });
  return (await api.get(`${PATH}?${asked}`)).body;
};

describe('creating a partial', () => {
  it('answers 201 with the whole record and its defaults', async () => {
    const { status, body } = await create({ name: 'Least' });
    expect(status).toBe(201);
    expect(body.partial).toEqual({
      ...HASH,
      id: expect.stringMatching(UUID_V7),
      orgId,
      workspaceId,
      workspaceIntegrationId: instance.id,
      integrationAlias: instance.alias,
      triggerName: null,
      name: 'Least',
      description: null,
      values: {},
      enforcedKeys: [],
      isDefault: false,
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: expect.stringMatching(TIMESTAMP),
    });
  });

  it('stores all given fields, and an enforced key once', async () => {
    const given = { name: '😀'.repeat(100), description: 'd'.repeat(500), isDefault: false };
    const values = { algorithm: 'sha256', encoding: null, text: 'x' };
    const made = await partial({ ...given, values, enforcedKeys: ['encoding', 'algorithm', 'encoding'] });
    expect(made).toMatchObject({ ...given, values, enforcedKeys: ['encoding', 'algorithm'] });
    expect((await api.get(`${PATH}/${made.id}`)).body).toEqual({ partial: made });
  });

  it('reports every problem of the body at once', async () => {
    expectInvalid(await api.post(PATH, {}), 'workspaceId', 'integrationName', 'name');
    const wrong = { workspaceId: 'x', workspaceIntegrationId: 7, integrationAlias: '', name: 'n'.repeat(101) };
    const more = { description: 'd'.repeat(501), values: [], enforcedKeys: 'all', isDefault: 'no', colour: 'red' };
    expectInvalid(await create({ ...wrong, ...more }), ...Object.keys({ ...wrong, ...more }));
    expectInvalid(await create({ enforcedKeys: ['text', 7] }), 'enforcedKeys[1]');
  });

  it('reports values that the action does not accept, and enforced keys without a value', async () => {
    const values = { algorithm: 'md1', more: 1, text: 7 };
    const answer = await create({ values, enforcedKeys: ['text', 'encoding'] });
    expectInvalid(answer, 'values.algorithm', 'values.more', 'values.text', 'enforcedKeys[1]');
    expectInvalid(await create({ actionName: 'hmac', values: { secret: 's3cret' } }), 'values.secret');
  });

  it('accepts 64 kB of values and not one byte more', async () => {
    const text = 'x'.repeat(64 * 1024 - '{"text":""}'.length);
    expect((await partial({ values: { text } })).values.text).toHaveLength(text.length);
    expectInvalid(await create({ values: { text: `${text}x` } }), 'values');
  });

  it('refuses an unknown integration, action or trigger, and both an action and a trigger', async () => {
    expectInvalid(await create({ integrationName: 'nothing' }), 'integrationName');
    expectInvalid(await create({ integrationName: 'http', actionName: undefined }), 'integrationName');
    expectInvalid(await create({ actionName: 'constructor' }), 'actionName');
    expectInvalid(await create({ actionName: undefined, triggerName: 'nothing' }), 'triggerName');
    expectInvalid(await create({ triggerName: 'nothing' }), 'triggerName');
  });

  it('refuses a workspace of another organization', async () => {
    for (const elsewhere of [await newWorkspace(other), UNKNOWN_ID])
      expectError(await create({ workspaceId: elsewhere }), 404, 'NOT_FOUND');
  });

  it('assigns it to the configured integration that it names, by id before alias', async () => {
    const place = await newWorkspace(api);
    const [first, second] = [await newIntegration(api, place), await newIntegration(api, place)];
    const at = { workspaceId: place };
    expectInvalid(await create(at), 'integrationAlias');
    expectInvalid(await create({ ...at, integrationAlias: 'none' }), 'integrationAlias');
    expectInvalid(await create({ ...at, workspaceIntegrationId: instance.id }), 'workspaceIntegrationId');
    const named = { ...at, integrationAlias: second.alias };
    expect(await partial(named)).toMatchObject({ workspaceIntegrationId: second.id });
    const both = { ...named, workspaceIntegrationId: first.id.toUpperCase() };
    expect(await partial(both)).toMatchObject({ workspaceIntegrationId: first.id, integrationAlias: first.alias });
    await api.patch(pathOf(place, first.id), { alias: 'renamed' });
    const { body } = await api.get(`${PATH}?workspaceId=${place}&workspaceIntegrationId=${first.id}`);
    expect(body.partials).toMatchObject([{ integrationAlias: 'renamed' }]);
  });

  it('assigns a name to one of 20 racing requests, and again in each other scope', async () => {
    const second = await newIntegration(api, workspaceId);
    const scopes = [{}, { actionName: 'hmac' }, { actionName: undefined }, { integrationAlias: second.alias }];
    for (const scope of scopes) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => create({ name: 'race', ...scope })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
      for (const refused of answers.filter(({ status }) => status !== 201)) expectError(refused, 409, 'DUPLICATE');
    }
  });
});

describe('listing partials', () => {
  it('returns the newest first and applies every filter', async () => {
    const place = await newWorkspace(api);
    const at = { workspaceId: place };
    const hash = await newIntegration(api, place, { alias: 'one' });
    const http = await newIntegration(api, place, { alias: 'two', integrationName: 'http' });
    const ofHash = await partial({ ...at, values: { text: 'a' } });
    const ofAll = await partial({ ...at, actionName: undefined });
    const ofHttp = await partial({ ...at, integrationName: 'http', actionName: 'send_request' });
    await newIntegration(api, place, { integrationName: 'github', connectionStrategy: 'per_user' });
    const push = {
      integrationName: 'github',
      actionName: undefined,
      triggerName: 'push',
      values: { repo: 'acme/app' },
    };
    const ofPush = await partial({ ...at, ...push });
    expect(ofPush).toMatchObject({ actionName: null, triggerName: 'push' });
    expect(await list(at)).toEqual({ partials: [ofPush, ofHttp, ofAll, ofHash], total: 4 });
    const filters: [object, any[]][] = [
      [{ integrationName: 'hash-encode' }, [ofAll, ofHash]],
      [{ workspaceIntegrationId: http.id.toUpperCase() }, [ofHttp]],
      [{ integrationAlias: hash.alias }, [ofAll, ofHash]],
      [{ integrationAlias: hash.alias, workspaceIntegrationId: http.id }, []],
      [{ actionName: 'hash' }, [ofHash]],
      [{ triggerName: 'push' }, [ofPush]],
      [{ triggerName: 'hash' }, []],
    ];
    for (const [filter, wanted] of filters)
      expect(await list({ ...at, ...filter })).toEqual({ partials: wanted, total: wanted.length });
    expectInvalid(
      await api.get(`${PATH}?workspaceId=${place}&workspaceIntegrationId=${UNKNOWN_ID}`),
      'workspaceIntegrationId',
    );
  });

  it('requires an existing workspace', async () => {
    expectInvalid(await api.get(`${PATH}?actionName=&name=x`), 'workspaceId', 'actionName', 'name');
    for (const elsewhere of [await newWorkspace(other), UNKNOWN_ID])
      expectError(await api.get(`${PATH}?workspaceId=${elsewhere}`), 404, 'NOT_FOUND');
  });
});
