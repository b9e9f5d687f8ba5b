// Shapes: local
import { type FakeProvider, type ProviderBehaviour } from '@drawbridge/testkit';
import { type Answer } from './support/api.js';
import { type AskedProduct, askedProduct } from './support/asked-product.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';

let its: AskedProduct;
let thirdParty: FakeProvider;
/** Requests that time out after 10 s. They start before all tests, so that the other tests run during the wait. */
let hanging: Promise<Answer>[];

beforeAll(async () => {
  its = await askedProduct();
  ({ thirdParty } = its);
  thirdParty.on('GET /people', { hang: true });
  thirdParty.on('GET /columns', { delay: 15_000, body: [] });
  hanging = [its.options('people'), its.properties('fields')];
  await Promise.all(['/people', '/columns'].map((path) => thirdParty.received(({ url }) => url.startsWith(path))));
});
afterAll(() => its?.stop());
beforeEach(() => thirdParty.reset());

const post = (path: string, body: object): Promise<Answer> => its.api.post(`/api/v1/integrations/${path}`, body);

/** Returns the secret that the provider received. */
async function used(fields: object): Promise<string | undefined> {
  thirdParty.reset();
  thirdParty.on('GET /people', { body: { people: [] } });
  expect(await its.options('people', fields)).toMatchObject({ status: 200 });
  return thirdParty.requests[0]?.headers['authorization']?.replace('Bearer ', '');
}

async function withInstance(changes: object, work: () => Promise<void>): Promise<void> {
  const path = `/api/v1/workspaces/${its.workspaceId}/integrations/${its.integrationId}`;
  expect((await its.api.patch(path, changes)).status).toBe(200);
  await work();
  const undone = { connectionStrategy: 'fixed', enabledActions: null };
  expect((await its.api.patch(path, undone)).status).toBe(200);
}

describe.each([['options'], ['resolve']] as const)('a lookup of %s', (path) => {
  const ask = (fields: object): Promise<Answer> =>
    post(`asked/properties/${path}`, {
      propertyName: 'team',
      actionName: 'post',
      workspaceId: its.workspaceId,
      ...fields,
    });

  it('reports every invalid key at once', async () => {
    const answer = await post(`asked/properties/${path}`, { workspaceId: 'x', input: 5, partialIds: 'a', more: 1 });
    expectInvalid(answer, 'propertyName', 'workspaceId', 'input', 'partialIds', 'more');
    const search = await ask({ searchValue: path === 'options' ? 'x'.repeat(201) : 'x' });
    expectInvalid(search, 'searchValue');
  });

  it('requires an existing integration, exactly one action or trigger, and an existing property', async () => {
    for (const name of ['nothing', 'constructor'])
      expectError(await post(`${name}/properties/${path}`, { propertyName: 'x' }), 404, 'INTEGRATION_NOT_FOUND');
    expectInvalid(await ask({ actionName: undefined }), 'actionName');
    expectInvalid(await ask({ triggerName: 'posted' }), 'triggerName');
    for (const name of ['nothing', 'constructor']) {
      expectInvalid(await ask({ actionName: undefined, triggerName: name }), 'triggerName');
      expectInvalid(await ask({ actionName: name }), 'actionName');
      expectInvalid(await ask({ propertyName: name }), 'propertyName');
    }
  });

  it('requires an existing workspace, configured integration and partials', async () => {
    expectError(await ask({ workspaceId: UNKNOWN_ID }), 404, 'NOT_FOUND');
    expectInvalid(await ask({ workspaceIntegrationId: UNKNOWN_ID }), 'workspaceIntegrationId');
    expectInvalid(await ask({ integrationAlias: 'other' }), 'integrationAlias');
    expectInvalid(await ask({ partialIds: [UNKNOWN_ID] }), 'partialIds[0]');
    expectInvalid(await ask({ workspaceId: undefined, integrationAlias: 'asked', endUserId: 'ann' }), 'workspaceId');
    expectInvalid(await ask({ workspaceId: undefined, partialIds: [UNKNOWN_ID] }), 'workspaceId');
  });

  it('requires an enabled action', async () => {
    await withInstance({ enabledActions: ['archive'] }, async () => expectError(await ask({}), 403, 'FORBIDDEN'));
  });
});

describe('a failed lookup', () => {
  it.each<[string, 'options' | 'properties', string]>([
    ['text', 'options', 'NOT_DROPDOWN'],
    ['fields', 'options', 'NOT_DROPDOWN'],
    ['colour', 'options', 'NO_OPTIONS_FN'],
    ['team', 'properties', 'NOT_DYNAMIC'],
    ['text', 'properties', 'NOT_DYNAMIC'],
    ['extra', 'properties', 'NO_PROPS_FN'],
  ])('has a distinct code: %s as %s answers %s', async (name, kind, code) => {
    const answer = await its[kind](name);
    expectError(answer, 400, code);
    expect(thirdParty.requests).toEqual([]);
  });

  it('hides the message of a defect in the integration', async () => {
    const defect = await its.options('defect');
    expectError(defect, 400, 'OPTIONS_FAILED');
    expect(defect.body).toMatchObject({
      error: 'The lookup failed unexpectedly',
      details: { provider: { code: 'PIECE_FAILED' }, retryable: false },
    });
    expectError(await its.options('answer'), 400, 'OPTIONS_FAILED');
  });

  it.each<[string, ProviderBehaviour, object]>([
    [
      'is rate-limited',
      { status: 429, headers: { 'retry-after': '60' } },
      { provider: { status: 429, retryAfter: 60 }, retryable: true },
    ],
    ['fails', { status: 500, body: 'down' }, { provider: { status: 500 }, retryable: true }],
    [
      'refuses with status 200',
      { body: { ok: false, error: 'not_allowed' } },
      { provider: { status: 200, code: 'not_allowed' }, retryable: false },
    ],
    ['resets the connection', { reset: true }, { provider: { code: 'UNREACHABLE' }, retryable: true }],
    ['answers without JSON', { body: '<html>' }, { provider: { status: 200 }, retryable: false }],
    [
      'answers with too large a body',
      { body: 'x'.repeat(11 * 1024 * 1024) },
      { provider: { code: 'TOO_LARGE' }, retryable: true },
    ],
  ])('returns the error of the provider where it %s', async (_what, behaviour, details) => {
    thirdParty.on('GET /people', behaviour);
    const answer = await its.options('people');
    expectError(answer, 400, 'OPTIONS_FAILED');
    expect(answer.body.details).toMatchObject(details);
  });
});

describe('the connection of a lookup', () => {
  const asks = (fields: object): Promise<Answer[]> =>
    Promise.all([its.options('people', fields), its.properties('fields', fields)]);

  it('is the one that the action would use', async () => {
    expect(await used({})).toBe('of-the-workspace');
    await its.connect('of-ann', { scope: 'USER', endUserId: 'ann' });
    await withInstance({ connectionStrategy: 'per_user' }, async () => {
      expect(await used({ endUserId: 'ann' })).toBe('of-ann');
      for (const answer of await asks({ endUserId: 'bob' })) {
        expectError(answer, 400, 'CONNECTION_REQUIRED');
        expect(answer.body.details).toEqual({ reason: 'not_connected', connectionId: null });
      }
    });
  });

  it('is the named one: of the workspace or of the organization', async () => {
    await its.connect('of-the-organization', { externalId: 'named' });
    await its.connect('of-this-workspace', { externalId: 'local', scope: 'WORKSPACE' });
    const connectionExternalId = 'named';
    expect(await used({ connectionExternalId })).toBe('of-the-organization');
    expect(await used({ connectionExternalId, workspaceId: undefined })).toBe('of-the-organization');
    expect(await used({ connectionExternalId: 'local' })).toBe('of-this-workspace');
    for (const fields of [
      { connectionExternalId: 'absent' },
      { connectionExternalId: 'local', workspaceId: undefined },
    ])
      for (const answer of await asks(fields)) expectError(answer, 400, 'CONNECTION_NOT_FOUND');
    for (const answer of await asks({ workspaceId: undefined })) expectError(answer, 400, 'CONNECTION_REQUIRED');
  });

  it('is optional where the integration needs none', async () => {
    thirdParty.on('GET /people', { body: { people: [{ id: 'ann', name: 'Ann' }] } });
    const { body } = await post('asked-open/properties/options', { propertyName: 'people', actionName: 'post' });
    expect(body.options).toEqual([{ label: 'Ann', value: 'ann' }]);
    expect(thirdParty.requests[0]?.headers['authorization']).toBeUndefined();
  });

  it('is set to ERROR after a 401, as by a run', async () => {
    const id = await its.connect('refused', { externalId: 'refused' });
    const refused = { connectionExternalId: 'refused' };
    thirdParty.on('GET /people', { status: 401, body: { message: 'Bad credentials' } });
    expectError(await its.options('people', refused), 400, 'OPTIONS_FAILED');
    const { connection } = (await its.api.get(`/api/v1/connections?id=${id}`)).body;
    expect(connection).toMatchObject({ status: 'ERROR', error: { message: 'Bad credentials' } });
    expectError(await its.options('people', refused), 400, 'CONNECTION_REQUIRED');
  });
});

it('a lookup times out after 10 s in total', async () => {
  const [hung, slow] = await Promise.all(hanging);
  expectError(hung!, 400, 'OPTIONS_FAILED');
  expectError(slow!, 400, 'RESOLVE_FAILED');
  const details = { provider: { code: 'TIMEOUT' }, retryable: true };
  for (const answer of [hung, slow])
    expect(answer?.body).toMatchObject({ error: 'The lookup did not complete within 10 s', details });
});
