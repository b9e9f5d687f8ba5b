// Shapes: local
import { type Api, apiOf } from './support/api.js';
import { drawbridge, type Drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { callOperation, type Operation, operationsOf } from './support/operations.js';

const PATH = '/api/v1/workspaces';
const JSON_TYPE = { 'content-type': 'application/json' };
const MIB = 1024 * 1024;

let product: Drawbridge;
let api: Api;
let anonymous: Api;

beforeAll(async () => {
  product = await drawbridge();
  api = product.api;
  anonymous = apiOf(product.baseUrl);
});

describe('a request body', () => {
  it.each(['{', '{"name": }', "{'name': 1}", 'null null', '{"a":1}x'])(
    'is refused when it is not JSON: %s',
    async (text) => {
      expectError(await api.send('POST', PATH, { text, headers: JSON_TYPE }), 400, 'VALIDATION_ERROR');
    },
  );

  it.each(['[]', 'null', '"text"', '7', 'true'])('is refused when it is not a JSON object: %s', async (text) => {
    expectError(await api.send('POST', PATH, { text, headers: JSON_TYPE }), 400, 'VALIDATION_ERROR');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/jsonp', 'x'])(
    'is refused with the content type %s',
    async (type) => {
      const headers = { 'content-type': type };
      const answer = await api.send('POST', PATH, { text: '{"name":"x","slug":"typed"}', headers });
      expectInvalid(answer, 'Content-Type');
    },
  );

  it('is accepted with a charset in the content type', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const text = '{"name":"Charset","slug":"charset"}';
    expect((await api.send('POST', PATH, { text, headers })).status).toBe(201);
  });

  it('is refused with an unknown charset', async () => {
    const headers = { 'content-type': 'application/json; charset=klingon' };
    expectError(await api.send('POST', PATH, { text: '{}', headers }), 400, 'VALIDATION_ERROR');
  });

  it('is treated as empty if it is missing', async () => {
    expectInvalid(await api.send('POST', PATH), 'name', 'slug');
    expectInvalid(await api.send('POST', PATH, { text: '', headers: JSON_TYPE }), 'name', 'slug');
  });

  it('updates nothing if it is missing', async () => {
    const { body } = await api.post(PATH, { name: 'Still', slug: 'still' });
    expectError(await api.send('PATCH', `${PATH}/${body.workspace.id}`), 400, 'NO_UPDATES');
  });

  it('is accepted up to 1 MiB and refused with 413 above', async () => {
    const text = (bytes: number): string => JSON.stringify({ name: '' }).padStart(bytes, ' ');
    expectInvalid(await api.send('POST', PATH, { text: text(MIB), headers: JSON_TYPE }), 'name', 'slug');
    expectError(await api.send('POST', PATH, { text: text(MIB + 1), headers: JSON_TYPE }), 413, 'VALIDATION_ERROR');
  });

  it('cannot modify an object prototype', async () => {
    const text = '{"name":"x","slug":"proto","__proto__":{"admin":true},"constructor":{"prototype":{}}}';
    const answer = await api.send('POST', PATH, { text, headers: JSON_TYPE });
    expectError(answer, 400, 'VALIDATION_ERROR');
  });

  it('is refused with a NUL character', async () => {
    expectInvalid(await api.post(PATH, { name: 'a\u0000b', slug: 'nul' }), 'name');
  });
});

describe('an id', () => {
  it.each(['x', '123', '01890000-0000-7000-8000-00000000000', "' OR 1=1", '../members'])(
    'in the path is refused if it is not a UUID: %s',
    async (id) => {
      const path = `${PATH}/${encodeURIComponent(id)}`;
      expectInvalid(await api.get(path), 'id');
      expectInvalid(await api.patch(path, { name: 'x' }), 'id');
      expectInvalid(await api.delete(path), 'id');
    },
  );

  it('in the path is reported together with the problems of the body', async () => {
    expectInvalid(await api.patch(`${PATH}/x`, { name: '' }), 'id', 'name');
  });

  it('in the query is refused if it is not a UUID', async () => {
    expectInvalid(await api.get('/api/v1/connections?id=x'), 'id');
  });

  it('is accepted in upper case', async () => {
    const { body } = await api.post(PATH, { name: 'Capital', slug: 'capital' });
    const { id } = body.workspace;
    expect((await api.get(`${PATH}/${id.toUpperCase()}`)).body.workspace.id).toBe(id);
  });

  it.each(['%E0%A4%A', '%', '%00'])('with invalid UTF-8 is refused: %s', async (id) => {
    expectInvalid(await api.get(`${PATH}/${id}`), 'url');
  });
});

describe('a query', () => {
  let operations: Operation[];
  beforeAll(async () => {
    operations = await operationsOf(api);
  });

  it('with an unknown key is refused by every operation', async () => {
    for (const operation of operations) {
      const path = Object.fromEntries(
        [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, UNKNOWN_ID]),
      );
      const body = operation.bodyKeys.length > 0 ? {} : undefined;
      const answer = await callOperation(api, operation, { path, query: { surprise: 1 }, body });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.details.fields).toMatchObject({ surprise: { message: 'unknown key' } });
    }
  });
});

describe('a path', () => {
  it.each([
    '/',
    '/api',
    '/api/v1',
    '/api/v1/nothing',
    '/api/v2/workspaces',
    '/workspaces',
    '/metrics',
    '/api/v1//workspaces',
  ])('that is unknown answers 404 in the error format: %s', async (path) =>
    expectError(await api.get(path), 404, 'NOT_FOUND'),
  );

  it.each([
    ['PUT', PATH, ['GET', 'POST']],
    ['DELETE', PATH, ['GET', 'POST']],
    ['POST', `${PATH}/01890000-0000-7000-8000-000000000000`, ['DELETE', 'GET', 'PATCH']],
    ['GET', '/api/v1/actions/execute', ['POST']],
  ])('refuses %s %s and names the allowed methods', async (method, path, allowed) => {
    const answer = await api.send(method, path);
    expectError(answer, 405, 'METHOD_NOT_ALLOWED');
    const named = answer.headers.get('allow')?.split(', ') ?? [];
    expect(named.filter((one) => one !== 'HEAD').sort()).toEqual(allowed);
  });

  it('answers HEAD like GET, without a body', async () => {
    expect(await api.send('HEAD', PATH)).toMatchObject({ status: 200, body: undefined });
  });
});

describe('a key', () => {
  it.each([
    ['is missing', {}],
    ['is unknown', { authorization: `Bearer svc_${'0'.repeat(46)}` }],
    ['is empty', { authorization: 'Bearer ' }],
    ['uses another scheme', { authorization: 'Basic c3ZjXzpzdmNf' }],
    ['has a non-ASCII character', { authorization: 'Bearer svc_\u00e9' }],
    ['is very long', { authorization: `Bearer ${'k'.repeat(8_000)}` }],
  ])('that %s answers 401', async (_case, headers) => {
    const answer = await anonymous.get(PATH, headers as Record<string, string>);
    expectError(answer, 401, 'UNAUTHENTICATED');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it('is required before the body is read', async () => {
    expectError(await anonymous.post(PATH, {}), 401, 'UNAUTHENTICATED');
    expectError(await anonymous.send('POST', PATH, { text: '{', headers: JSON_TYPE }), 401, 'UNAUTHENTICATED');
  });

  it('is accepted with a lower-case scheme', async () => {
    expect((await anonymous.get(PATH, { authorization: `bearer ${product.key}` })).status).toBe(200);
  });

  it('is accepted only in the header', async () => {
    expectError(await anonymous.get(`${PATH}?key=${product.key}`), 401, 'UNAUTHENTICATED');
    expect(product.logs()).not.toContain(product.key.slice(8));
  });
});
