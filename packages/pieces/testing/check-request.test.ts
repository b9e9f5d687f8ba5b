import { fieldParts, filePart, multipart } from '@drawbridge/piece-kit';
import { checkRequest, checkResponse, type Description } from './check-request.js';

const description: Description = {
  source: 'written for this test',
  operations: {
    'POST /repos/{repo}/issues': {
      parameters: [
        { name: 'repo', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'page', in: 'query', required: true, schema: { type: 'integer', maximum: 9 } },
      ],
      body: {
        required: true,
        schema: {
          type: 'object',
          properties: {
            title: { type: 'string' },
            labels: {
              type: 'array',
              items: { anyOf: [{ type: 'string' }, { properties: { name: { type: 'string' } } }] },
            },
            free: { type: 'object' },
          },
          required: ['title'],
        },
      },
    },
    'POST /charges': {
      parameters: [],
      body: {
        required: true,
        type: 'application/x-www-form-urlencoded',
        schema: {
          type: 'object',
          properties: {
            amount: { type: 'integer' },
            confirm: { type: 'boolean' },
            to: { type: 'object', properties: { city: { type: 'string' } } },
            lines: { type: 'array', items: { type: 'object', properties: { price: { type: 'string' } } } },
            types: { type: 'array', items: { enum: ['card', 'cash'] } },
          },
          required: ['amount'],
        },
      },
    },
    'POST /files': {
      parameters: [],
      body: {
        required: true,
        type: 'multipart/form-data',
        schema: {
          allOf: [
            { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] },
            { type: 'object', properties: { tags: { type: 'array', items: { enum: ['a', 'b'] } } } },
            { type: 'object', properties: { expiry: { type: 'object', properties: { days: { type: 'integer' } } } } },
          ],
        },
      },
    },
    'GET /rows': {
      parameters: [
        { name: 'ranges', in: 'query', required: true, schema: { type: 'array', items: { type: 'string' } } },
        {
          name: 'keys',
          in: 'query',
          required: false,
          explode: false,
          schema: { type: 'array', items: { enum: ['a', 'b'] } },
        },
      ],
      response: { type: 'array', items: { anyOf: [{ type: 'object', properties: { id: { type: 'string' } } }] } },
    },
    'GET /files/{path}': {
      parameters: [{ name: 'path', in: 'path', required: true, multiSegment: true, schema: { type: 'string' } }],
    },
  },
};

function check(request: { method?: string; url?: string; type?: string; body?: unknown }): string[] {
  const { method = 'POST', url = '/repos/r/issues?page=1', type = 'application/json', body = { title: 't' } } = request;
  const text = body === null ? '' : JSON.stringify(body);
  return checkRequest(description, { method, url, headers: { 'content-type': type }, body: text });
}

it('accepts valid requests', () => {
  expect(check({ body: { title: 't', labels: ['a', { name: 'b' }], free: { any: 1 } } })).toEqual([]);
  expect(check({ method: 'GET', url: '/files/a/b%20c', body: null })).toEqual([]);
});

it("reads repeated query keys as a list, and the server's path as a prefix", () => {
  expect(check({ method: 'GET', url: '/rows?ranges=A1&ranges=B2', body: null })).toEqual([]);
  expect(check({ method: 'GET', url: '/rows?ranges=A1', body: null })).toEqual([]);
  expect(check({ method: 'GET', url: '/rows?ranges=A1&keys=a%2Cb', body: null })).toEqual([]);
  const request = { method: 'GET', url: '/api/rows?ranges=A1', headers: {}, body: '' };
  expect(checkRequest({ ...description, base: '/api' }, request)).toEqual([]);
});

describe('a form', () => {
  const checkForm = (body: string): string =>
    checkRequest(description, {
      method: 'POST',
      url: '/charges',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    }).join();

  it('is accepted with nested keys and texts that can be coerced', () => {
    expect(checkForm('amount=10&confirm=true&to[city]=Ulm&types[]=card&types[]=cash&lines[0][price]=p')).toBe('');
  });

  it.each([
    ['amount=1&amont=2', '"additionalProperty":"amont"'],
    ['amount=1&to[citty]=Ulm', '"additionalProperty":"citty"'],
    ['amount=1&lines[0][prise]=p', '"additionalProperty":"prise"'],
    ['amount=1.5', 'must be integer'],
    ['amount=1&types[]=coin', 'must be equal to one of the allowed values'],
    ['confirm=true', '"missingProperty":"amount"'],
  ])('is refused with %s', (body, problem) => expect(checkForm(body)).toContain(problem));
});

describe('a multipart form', () => {
  const file = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };
  const checkParts = (fields: Record<string, string>, type?: string): string => {
    const { body, contentType } = multipart([...fieldParts(fields), filePart('file', file)]);
    const headers = { 'content-type': type ?? contentType };
    return checkRequest(description, { method: 'POST', url: '/files', headers, body: String(body) }).join();
  };

  it('is accepted with lists and nested keys', () => {
    expect(checkParts({ 'tags[]': 'a', 'expiry[days]': '7' })).toBe('');
  });

  it.each<[Record<string, string>, string]>([
    [{ tag: 'a' }, '"unevaluatedProperty":"tag"'],
    [{ 'tags[]': 'c' }, 'must be equal to one of the allowed values'],
    [{ 'expiry[day]': '7' }, '"additionalProperty":"day"'],
    [{ 'expiry[days]': 'x' }, 'must be integer'],
  ])('is refused with %j', (fields, problem) => expect(checkParts(fields)).toContain(problem));

  it('is refused as another type', () => {
    expect(checkParts({}, 'application/json')).toBe('body is not sent as multipart/form-data');
    expect(checkParts({}, 'multipart/form-data')).toContain('"missingProperty":"file"');
  });
});

it.each<[string, Parameters<typeof check>[0], string]>([
  ['a misspelt body key', { body: { title: 't', tittle: 'u' } }, '"additionalProperty":"tittle"'],
  ['a misspelt key inside a list', { body: { title: 't', labels: [{ nmae: 'b' }] } }, '"additionalProperty":"nmae"'],
  ['a missing body key', { body: {} }, '"missingProperty":"title"'],
  ['a number where a text belongs', { body: { title: 1 } }, 'body/title must be string'],
  ['no body', { body: null }, 'body is missing'],
  ['a body where none belongs', { method: 'GET', url: '/files/a' }, 'body is not expected'],
  ['another content type', { type: 'text/plain' }, 'not sent as application/json'],
  ['an undeclared query parameter', { url: '/repos/r/issues?page=1&pagge=2' }, '"additionalProperty":"pagge"'],
  ['a missing query parameter', { url: '/repos/r/issues' }, '"missingProperty":"page"'],
  ['a query parameter of the wrong type', { url: '/repos/r/issues?page=x' }, 'query/page must be integer'],
  [
    'an unknown value between commas',
    { method: 'GET', url: '/rows?ranges=A1&keys=a%2Cc' },
    'query/keys/1 must be equal',
  ],
  ['a query parameter over its limit', { url: '/repos/r/issues?page=10' }, 'query/page must be <= 9'],
  ['an unknown path', { url: '/repos/r/isues?page=1' }, 'is no operation'],
  ['a segment too many', { url: '/repos/r/s/issues?page=1' }, 'is no operation'],
])('catches %s', (_, request, problem) => {
  expect(check(request).join('\n')).toContain(problem);
});

it.each<[string, unknown, string]>([
  ['GET /rows', [{ id: 'a' }], ''],
  ['GET /rows', [{ idd: 'a' }], '"additionalProperty":"idd"'],
  ['GET /rows', [{ id: 1 }], 'response/0/id must be string'],
  ['GET /files/{path}', {}, 'GET /files/{path} has no response'],
])('checks the answer to %s: %j', (name, body, problem) => {
  const problems = checkResponse(description, name, body).join();
  if (problem) expect(problems).toContain(problem);
  else expect(problems).toBe('');
});

it('reads path parameters with hyphens, and takes the rest of a path literally', () => {
  const parameters = ['room-id', 'q'].map((name) => ({ name, in: 'path', required: true, schema: { maxLength: 3 } }));
  const operations = { "GET /rooms/{room-id}/acme.search(q='{q}')": { parameters } };
  const get = (url: string) => checkRequest({ source: '', operations }, { method: 'GET', url, headers: {}, body: '' });
  expect(get("/rooms/r%20/acme.search(q='a')")).toEqual([]);
  expect(get("/rooms/room/acme.search(q='a')")).toEqual([
    'path/room-id must NOT have more than 3 characters {"limit":3}',
  ]);
  expect(get("/rooms/r/acme.searchq='a'")).toEqual(["GET /rooms/r/acme.searchq='a' is no operation"]);
});
