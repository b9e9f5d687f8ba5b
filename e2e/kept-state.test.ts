// Shapes: local
import { type Api } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid } from './support/expect.js';
import { newIntegration, newWorkspace, pathOf } from './support/workspace-integrations.js';

const EXECUTE = '/api/v1/actions/execute';
const EXPLAIN = '/api/v1/actions/explain';

let product: Drawbridge;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  workspaceId = await newWorkspace(product.api);
});

interface Call {
  api?: Api;
  [key: string]: unknown;
}

const call = (actionName: string, input: object, { api = product.api, ...more }: Call = {}) =>
  api.post(EXECUTE, { integrationName: 'kv-store', actionName, workspaceId, endUserId: 'ann', input, ...more });

/** Returns the output. Fails the test on any error. */
async function run(actionName: string, input: object, more?: Call): Promise<any> {
  const { status, body } = await call(actionName, input, more);
  expect({ status, body }).toMatchObject({ status: 200, body: { success: true } });
  return body.output;
}

const get = async (key: string, more?: Call) => (await run('get', { key }, more)).value;

describe('the integration kv-store', () => {
  it('stores, lists and deletes values', async () => {
    await run('set', { key: 'a', value: { deep: [1, null] } });
    await run('set', { key: 'b', value: false });
    expect(await run('get', { key: 'a' })).toEqual({ found: true, value: { deep: [1, null] }, expiresAt: null });
    expect(await run('list', { limit: 1 })).toMatchObject({ items: [{ key: 'a' }], nextCursor: 'a' });
    expect(await run('list', { cursor: 'a' })).toMatchObject({ items: [{ key: 'b' }], nextCursor: null });
    expect(await run('delete', { key: 'a' })).toEqual({ key: 'a', deleted: true });
    expect(await run('delete', { key: 'a' })).toEqual({ key: 'a', deleted: false });
    expect(await run('get', { key: 'a' })).toEqual({ found: false, value: null, expiresAt: null });
  });

  it('deletes values after their TTL', async () => {
    const { expiresAt } = await run('set', { key: 'short', value: 1, ttlSeconds: 1 });
    expect(Date.parse(expiresAt)).toBeGreaterThan(0);
    await eventually(async () => expect(await run('get', { key: 'short' })).toMatchObject({ found: false }));
  });

  it('counts concurrent increments, and one with the same idempotency key once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => run('increment', { key: 'n', by: 2 })));
    for (let n = 0; n < 2; n += 1) await run('increment', { key: 'n' }, { idempotencyKey: 'once' });
    expect(await get('n')).toBe(41);
  });

  it('refuses invalid values with the field name', async () => {
    await run('set', { key: 'text', value: 'x' });
    expectInvalid(await call('increment', { key: 'text' }), 'input.key');
    expectInvalid(await call('set', { key: 'large', value: 'x'.repeat(256 * 1024) }), 'input.value');
    expect(await get('text')).toBe('x');
  });
});

describe('the owner of stored state', () => {
  it('requires an end user before the run', async () => {
    expectInvalid(await call('get', { key: 'a' }, { endUserId: undefined }), 'endUserId');
    const asked = { integrationName: 'kv-store', actionName: 'get', workspaceId, input: { key: 'a' } };
    const { body } = await product.api.post(EXPLAIN, asked);
    expect(body.refusal).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { fields: { endUserId: {} } },
    });
  });

  it('is the one in the settings, and owners are isolated', async () => {
    const elsewhere = await newWorkspace(product.api);
    const [shared, named, other] = [
      await newIntegration(product.api, elsewhere, kvWith({ scope: 'workspace' })),
      await newIntegration(product.api, elsewhere, kvWith({ scope: 'external', externalId: 'ann' })),
      await newIntegration(product.api, elsewhere, kvWith({ scope: 'external', externalId: 'bob' })),
    ];
    const own = await newIntegration(product.api, elsewhere, kvWith(undefined));
    const at = ({ id }: { id: string }, endUserId?: string): Call => ({
      ...{ workspaceId: elsewhere, workspaceIntegrationId: id, endUserId },
    });
    const theirs = await newWorkspace(product.other);
    const places: Call[] = [
      at(own, 'ann'),
      at(own, 'bob'),
      at(shared),
      at(named),
      at(other),
      { endUserId: 'bob' },
      { api: product.other, workspaceId: theirs, endUserId: 'ann' },
    ];
    await Promise.all(places.map((place, n) => run('set', { key: 'who', value: n }, place)));
    expect(await Promise.all(places.map((place) => get('who', place)))).toEqual(places.map((_, n) => n));
    expect(await get('who', at(shared, 'ann'))).toBe(2);
    const patched = { settings: { persistence: { scope: 'external', externalId: 'bob' } } };
    expect((await product.api.patch(pathOf(elsewhere, own.id), patched)).status).toBe(200);
    expect(await get('who', at(own))).toBe(4);
    expectError(await call('get', { key: 'who' }, { api: product.other, workspaceId: elsewhere }), 404, 'NOT_FOUND');
  });
});

describe('deletion of stored state', () => {
  const left = `SELECT FROM execution.state_entries e JOIN execution.state_spaces s ON s.id = e.space_id WHERE s.workspace_id = $1`;
  const entriesOf = (id: string) => rowsOf(product.databaseUrl, left, [id]);

  it('leaves no values of an end user to the next one with the same externalId', async () => {
    const at = { workspaceId: await newWorkspace(product.api), endUserId: 'dee' };
    const person = { workspaceId: at.workspaceId, externalId: 'dee' };
    const create = async () => (await product.api.post('/api/v1/end-users', person)).body.endUser.id;
    await run('set', { key: 'a', value: 'before there was a record' }, at);
    const first = await create();
    expect(await get('a', at)).toBeNull();
    await run('set', { key: 'a', value: 'about the first' }, at);
    expect((await product.api.delete(`/api/v1/end-users/${first}`)).status).toBe(200);
    const second = await create();
    expect(await get('a', at)).toBeNull();
    await run('set', { key: 'a', value: 'about the second' }, at);
    await eventually(async () => expect(await entriesOf(at.workspaceId)).toHaveLength(1));
    expect(await get('a', at)).toBe('about the second');
    expect((await product.api.delete(`/api/v1/end-users/${second}`)).status).toBe(200);
    await eventually(async () => expect(await entriesOf(at.workspaceId)).toEqual([]));
    expect(await get('a', at)).toBeNull();
  });

  it('follows the deletion of an end user or a workspace', async () => {
    const place = { workspaceId: await newWorkspace(product.api) };
    const shared = await newIntegration(product.api, place.workspaceId, kvWith({ scope: 'workspace' }));
    const inWorkspace = { ...place, workspaceIntegrationId: shared.id };
    const person = { workspaceId: place.workspaceId, externalId: 'cai' };
    const { body } = await product.api.post('/api/v1/end-users', person);
    const own = await newIntegration(product.api, place.workspaceId, kvWith(undefined));
    const ofPerson = { ...place, workspaceIntegrationId: own.id, endUserId: 'cai' };
    await run('set', { key: 'a', value: 'about cai' }, ofPerson);
    await run('set', { key: 'a', value: 1 }, inWorkspace);

    expect((await product.api.delete(`/api/v1/end-users/${body.endUser.id}`)).status).toBe(200);
    await eventually(async () => expect(await get('a', ofPerson)).toBeNull());
    expect(await get('a', inWorkspace)).toBe(1);
    const rows = () => entriesOf(place.workspaceId);
    await eventually(async () => expect(await rows()).toHaveLength(1));

    expect((await product.api.delete(`/api/v1/workspaces/${place.workspaceId}`)).status).toBe(200);
    await eventually(async () => expect(await rows()).toEqual([]));
  });
});

function kvWith(persistence: object | undefined): object {
  return { integrationName: 'kv-store', settings: persistence ? { persistence } : {} };
}
