import { checkRequest, type Description } from './check-request.js';

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

it('accepts what the description says', () => {
  expect(check({ body: { title: 't', labels: ['a', { name: 'b' }], free: { any: 1 } } })).toEqual([]);
  expect(check({ method: 'GET', url: '/files/a/b%20c', body: null })).toEqual([]);
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
  ['a query parameter over its limit', { url: '/repos/r/issues?page=10' }, 'query/page must be <= 9'],
  ['an unknown path', { url: '/repos/r/isues?page=1' }, 'is no operation'],
  ['a segment too many', { url: '/repos/r/s/issues?page=1' }, 'is no operation'],
])('catches %s', (_, request, problem) => {
  expect(check(request).join('\n')).toContain(problem);
});
