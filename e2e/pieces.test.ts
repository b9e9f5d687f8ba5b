// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { type AskedProduct, askedProduct } from './support/asked-product.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { expectWithinASecond } from './support/expect-within.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { type OwnedResources } from './support/owned-resources.js';

const { afterAll, beforeAll, beforeEach, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/pieces';

const ofState = ({ connectionId }: OwnedResources) => ({
  path: { name: 'github' },
  body: { propertyName: 'state', connectionId },
});
const ids = { 'body.connectionId': 'connectionId' } as const;

export const OPERATIONS: Operations = {
  ListPieces: { call: () => ({}) },
  GetPiece: { call: () => ({ path: { name: 'github' } }) },
  ResolvePieceOptions: { call: ofState, ids },
  ResolvePieceProperties: { call: ofState, ids, refusal: '400 NOT_DYNAMIC' },
};

let its: AskedProduct;
let api: Api;
let thirdParty: FakeProvider;
let connectionId: string;

beforeAll(async () => {
  its = await askedProduct();
  ({ api, thirdParty } = its);
  connectionId = await its.connect('of-the-organization');
});
beforeEach(() => thirdParty.reset());
afterAll(() => its?.stop());

const resolve = (kind: 'options' | 'resolve', body: object, name = 'asked'): Promise<Answer> =>
  api.post(`${PATH}/${name}/properties/${kind}`, body);
const only = (label: string, value: string): object => ({ options: [{ label, value }], disabled: false });

describe('the catalog of pieces', () => {
  it('lists the integrations, and for each action whether it needs a connection', async () => {
    const { integrations } = (await api.get('/api/v1/integrations')).body;
    const { status, body } = await api.get(PATH);
    expect(status).toBe(200);
    const withAuth = (operations: object, requireAuth: boolean): object =>
      Object.fromEntries(Object.entries(operations).map(([name, one]) => [name, { ...one, requireAuth }]));
    const expected = integrations.map(({ actions, triggers, ...entry }: any) => ({
      ...entry,
      actions: withAuth(actions, entry.auth.required),
      triggers: withAuth(triggers, entry.auth.required),
    }));
    expect(body).toEqual({ data: expected });
    expect(expected.find(({ name }: { name: string }) => name === 'github').actions.comment.requireAuth).toBe(true);
    expect(expected.find(({ name }: { name: string }) => name === 'http').actions.send_request.requireAuth).toBe(false);
  });

  it('returns one in full, and 404 for an unknown one', async () => {
    const { data } = (await api.get(PATH)).body;
    const http = data.find(({ name }: { name: string }) => name === 'http');
    expect(await api.get(`${PATH}/http`)).toMatchObject({ status: 200, body: http });
    expect(http.auth.props).toEqual({});
    for (const name of ['nothing', 'constructor', 'GitHub'])
      expectError(await api.get(`${PATH}/${name}`), 404, 'INTEGRATION_NOT_FOUND');
  });

  it('requires a key', async () => {
    const anonymous = apiOf(its.product.baseUrl);
    for (const path of [PATH, `${PATH}/github`]) expectError(await anonymous.get(path), 401, 'UNAUTHENTICATED');
  });

  it('is cached by clients and answers 304 while it is unchanged', async () => {
    for (const path of [PATH, `${PATH}/github`]) {
      const { headers } = await api.get(path);
      expect(headers.get('cache-control')).toBe('private, max-age=60');
      const again = await api.get(path, { 'if-none-match': headers.get('etag')! });
      expect({ status: again.status, body: again.body }).toEqual({ status: 304, body: undefined });
    }
  });
});

describe('a property of a piece', () => {
  it('is found by its name, and needs no connection for static options', async () => {
    const state = ['open', 'closed'].map((value) => ({ label: value, value }));
    const { status, body } = await resolve('options', { propertyName: 'state' }, 'github');
    expect({ status, body }).toEqual({ status: 200, body: { options: state, disabled: false } });
    for (const kind of ['options', 'resolve'] as const) {
      expectInvalid(await resolve(kind, {}), 'propertyName');
      expectInvalid(await resolve(kind, { propertyName: 'x', more: 1, input: [] }), 'more', 'input');
      for (const name of ['nothing', 'constructor']) {
        expectInvalid(await resolve(kind, { propertyName: name }), 'propertyName');
        expectError(await resolve(kind, { propertyName: 'x' }, name), 404, 'INTEGRATION_NOT_FOUND');
      }
    }
  });

  it.each([
    ['options', 'fields', 'NOT_DROPDOWN'],
    ['options', 'colour', 'NO_OPTIONS_FN'],
    ['options', 'defect', 'OPTIONS_FAILED'],
    ['resolve', 'team', 'NOT_DYNAMIC'],
    ['resolve', 'extra', 'NO_PROPS_FN'],
    ['resolve', 'form', 'RESOLVE_FAILED'],
  ] as const)('that cannot be resolved fails with the reason: %s of %s', async (kind, propertyName, code) => {
    expectError(await resolve(kind, { propertyName, connectionId }), 400, code);
  });

  it('is resolved at the provider with the named connection', async () => {
    thirdParty.on('GET /people', { body: { people: [{ id: 'ann', name: 'Ann' }] } });
    thirdParty.on('GET /columns', { body: [{ id: 'name', name: 'Name' }] });
    expect((await resolve('options', { propertyName: 'people', connectionId })).body).toEqual(only('Ann', 'ann'));
    const { body } = await resolve('resolve', { propertyName: 'fields', connectionId, input: { team: 'red' } });
    const name = {
      type: 'SHORT_TEXT',
      displayName: 'Name',
      required: true,
      description: '',
      refreshers: [],
      options: [],
    };
    expect(body).toEqual({ props: { name } });
    expect(thirdParty.requests.map(({ headers }) => headers['authorization'])).toEqual(
      Array(2).fill('Bearer of-the-organization'),
    );
    expect((await resolve('options', { propertyName: 'people' }, 'asked-open')).body).toEqual(only('Ann', 'ann'));
  });

  it('with the same name in several actions is the one with refreshers that the input contains', async () => {
    const ofArchive = { connectionId, propertyName: 'text' };
    expect((await resolve('options', ofArchive)).body).toEqual(only('Of archive', 'archive'));
    const channel = { connectionId, propertyName: 'channel' };
    expect((await resolve('options', channel)).body).toEqual({ options: [], disabled: true });
    const ofYear = { ...channel, input: { year: '2026' } };
    expect((await resolve('options', ofYear)).body).toEqual(only('Of a year', 'year'));
    thirdParty.on('GET /teams/red/channels', { body: [{ id: 'news', name: 'News' }] });
    const ofTeam = { ...channel, input: { year: '2026', team: 'red' } };
    expect((await resolve('options', ofTeam)).body).toEqual(only('News', 'news'));
  });
});

describe('the connection of a lookup', () => {
  const people = (fields: object): Promise<Answer> => resolve('options', { propertyName: 'people', ...fields });

  it('must be a usable connection of this integration', async () => {
    for (const required of [await people({}), await resolve('resolve', { propertyName: 'fields' })]) {
      expectError(required, 400, 'CONNECTION_REQUIRED');
      expect(required.body.details).toEqual({ reason: 'not_connected', connectionId: null });
    }
    const ofGithub = await its.connect('of-github', { integrationName: 'github' });
    for (const id of [UNKNOWN_ID, ofGithub]) expectInvalid(await people({ connectionId: id }), 'connectionId');
    expectInvalid(await people({ connectionId: 'x' }), 'connectionId');
    const suspended = await its.connect('suspended');
    await api.post(`/api/v1/connections/${suspended}/suspend`);
    const answer = await people({ connectionId: suspended });
    expectError(answer, 400, 'CONNECTION_REQUIRED');
    expect(answer.body.details).toEqual({ reason: 'suspended', connectionId: suspended });
    expect(thirdParty.requests).toEqual([]);
  });

  it('must be in a workspace of the key, and not one of the organization', async () => {
    const permissions = { scope: 'workspace', workspaceIds: [its.workspaceId] };
    const { plainKey } = (await api.post('/api/v1/api-keys', { name: 'Limited', permissions })).body;
    const limited = apiOf(its.product.baseUrl, plainKey);
    const ask = (body: object): Promise<Answer> => limited.post(`${PATH}/asked/properties/options`, body);
    thirdParty.on('GET /people', { body: { people: [] } });
    const inside = await its.connect('inside', { scope: 'WORKSPACE' });
    expect((await ask({ propertyName: 'people', connectionId: inside })).status).toBe(200);
    expectError(await ask({ propertyName: 'people', connectionId }), 403, 'SCOPE_DENIED');
    expect((await ask({ propertyName: 'kind' })).status).toBe(200);
    await api.post(`/api/v1/workspaces/${its.workspaceId}/suspend`);
    await expectWithinASecond(async () => {
      const suspended = await ask({ propertyName: 'people', connectionId: inside });
      expectError(suspended, 403, 'FORBIDDEN');
      expect(suspended.body.details).toEqual({ reason: 'suspended' });
    });
  });
});
