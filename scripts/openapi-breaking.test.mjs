import { breakingChanges } from './openapi-breaking.mjs';

const json = (schema) => ({ content: { 'application/json': { schema } } });
const object = (properties, required = []) => ({ type: 'object', properties, required, additionalProperties: false });
const text = { type: 'string' };
const ref = (name) => ({ $ref: `#/components/schemas/${name}` });

/** Returns a document with one operation, POST /things/{id}. */
function api({
  body = object({ name: text }),
  answer = object({ id: text }, ['id']),
  schemas = {},
  ...operation
} = {}) {
  const post = { requestBody: json(body), responses: { 200: json(answer) }, security: [{ apiKey: [] }], ...operation };
  return { paths: { '/things/{id}': { post } }, components: { schemas } };
}

const allOf = (properties) => ({ allOf: [object({ id: text }), object(properties)] });
const takes = (schema) => api({ body: object({ name: schema }) });
const gives = (schema) => api({ answer: object({ id: schema }, ['id']) });
const asks = (...parameters) => api({ parameters });
const query = (name, more) => ({ in: 'query', name, schema: text, ...more });
const path = (name, schema = text) => ({ in: 'path', name, required: true, schema });

const POST = 'POST /things/{}';
const BODY = `${POST} body`;

it.each([
  ['a removed path', api(), { paths: {} }, `${POST}: removed`],
  ['a removed method', api(), { paths: { '/things/{id}': { get: {} } } }, `${POST}: removed`],
  ['a key where none was asked', api({ security: [] }), api(), `${POST}: asks for a key now`],
  ['a removed answer', api(), api({ responses: { 201: {} } }), `${POST} 200: removed`],
  ['a new required parameter', asks(), asks(query('a', { required: true })), `${POST} query parameter a: required now`],
  ['a removed parameter', asks(query('a')), asks(), `${POST} query parameter a: no longer accepted`],
  [
    'a narrower parameter',
    asks(path('id')),
    asks(path('id', { type: 'string', maxLength: 5 })),
    `${POST} path parameter 1: maxLength is narrower`,
  ],
  [
    'a body where none was',
    api({ requestBody: undefined }),
    api({ requestBody: { required: true } }),
    `${BODY}: required now`,
  ],
  ['a body that must be sent', api(), api({ requestBody: { ...json({}), required: true } }), `${BODY}: required now`],
  ['another content type', api(), api({ requestBody: { content: {} } }), `${BODY}: application/json removed`],
])('breaks a client: %s', (_, before, after, found) => {
  expect(breakingChanges(before, after)).toEqual([found]);
});

it.each([
  ['a key that is refused', object({ name: text }), object({}), '.name: no longer accepted'],
  ['a new required key', object({}), object({ name: text }, ['name']), '.name: required now'],
  ['a key that became required', object({ name: text }), object({ name: text }, ['name']), '.name: required now'],
  ['a key that one of several parts no longer has', allOf({ name: text }), allOf({}), '.name: no longer accepted'],
  ['refusing unknown keys', { type: 'object' }, object({}), ': other keys are refused now'],
  ['narrower values of a map', map(text), map({ type: 'number' }), '.*: was string, is number'],
  ['a reference to something narrower', ref('Wide'), ref('Narrow'), ': maxLength is narrower'],
])('breaks a client that sends a body: %s', (_, before, after, found) => {
  const schemas = { Wide: text, Narrow: { type: 'string', maxLength: 1 } };
  expect(breakingChanges(api({ body: before, schemas }), api({ body: after, schemas }))).toEqual([BODY + found]);
});

it.each([
  ['another type', text, { type: 'number' }, 'was string, is number'],
  ['one type out of any', {}, text, 'was anything, is string'],
  ['no null any more', { type: ['string', 'null'] }, text, 'was null, is string'],
  ['a shorter text', { type: 'string', maxLength: 9 }, { type: 'string', maxLength: 8 }, 'maxLength is narrower'],
  ['a longer least length', text, { type: 'string', minLength: 1 }, 'minLength is narrower'],
  ['a lower maximum', { type: 'integer' }, { type: 'integer', maximum: 7 }, 'maximum is narrower'],
  ['another pattern', { type: 'string', pattern: 'a' }, { type: 'string', pattern: 'b' }, 'pattern is narrower'],
  ['a smaller set', set('a', 'b'), set('a'), 'enum is narrower'],
  ['a set in place of a text', text, set('a'), 'enum is narrower'],
])('breaks a client that sends this value: %s', (_, before, after, found) => {
  expect(breakingChanges(takes(before), takes(after))).toEqual([`${BODY}.name: ${found}`]);
});

it.each([
  ['another type', gives(text), gives({ type: 'number' }), '.id: was string, is number'],
  ['null where none was', gives(text), gives({ type: ['string', 'null'] }), '.id: was string, is null'],
  ['a removed key', api(), api({ answer: object({}) }), '.id: removed'],
  ['a key that may be absent', api(), api({ answer: object({ id: text }) }), '.id: may be absent now'],
  ['another type inside of a list', gives(list(text)), gives(list(object({}))), '.id[]: was string, is object'],
])('breaks a client that reads the answer: %s', (_, before, after, found) => {
  expect(breakingChanges(before, after)).toEqual([`${POST} 200${found}`]);
});

it.each([
  ['a new operation', { paths: {} }, api()],
  ['a new optional parameter', asks(), asks(query('a'))],
  ['another name of a path parameter', asks(path('id')), renamed(asks(path('key')))],
  ['a new optional key of a body', api({ body: object({}) }), api()],
  ['a wider text', takes({ type: 'string', maxLength: 8 }), takes({ type: 'string', maxLength: 9 })],
  ['a larger set', takes(set('a')), takes(set('a', 'b'))],
  ['null as well', takes(text), takes({ anyOf: [text, { type: 'null' }] })],
  ['a number where an integer was', takes({ type: 'integer' }), takes({ type: 'number' })],
  ['a new key of an answer', api({ answer: object({}) }), api()],
  ['a new value of an answered set', gives(set('a')), gives(set('a', 'b'))],
  ['null that no longer occurs', gives({ type: ['string', 'null'] }), gives(text)],
  ['a schema that holds itself', nested(), nested()],
])('is compatible: %s', (_, before, after) => {
  expect(breakingChanges(before, after)).toEqual([]);
});

function set(...values) {
  return { type: 'string', enum: values };
}

function list(items) {
  return { type: 'array', items };
}

function map(additionalProperties) {
  return { type: 'object', additionalProperties };
}

function nested() {
  return api({ body: ref('Tree'), schemas: { Tree: object({ children: list(ref('Tree')) }) } });
}

function renamed({ paths, ...rest }) {
  return { ...rest, paths: { '/things/{key}': paths['/things/{id}'] } };
}

it('finds nothing where an answer is kept in one place', () => {
  const shared = api({ responses: { 200: { $ref: '#/components/responses/Thing' } } });
  shared.components.responses = { Thing: json(object({ id: text }, ['id'])) };
  expect(breakingChanges(api(), shared)).toEqual([]);
  expect(breakingChanges(shared, api())).toEqual([]);
});
