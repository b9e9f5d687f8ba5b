import { type ToolDescription } from '@drawbridge/proto/drawbridge/catalog/v1/tools';
import { toListedTool, toolName } from './listed-tool.js';

const OFFER = { integrationAlias: 'acme', integrationName: 'acme', actionName: 'post', isCutOff: false };
const SCHEMA = {
  type: 'object',
  properties: {
    team: { type: 'string', description: 'A team.' },
    fields: { type: 'object' },
    text: { type: 'string' },
  },
  required: ['team'],
  additionalProperties: false,
};
const DESCRIBED: ToolDescription = {
  ...{ isCallable: true, integrationDisplayName: 'Acme', displayName: 'Post', description: 'Posts a message.' },
  ...{ inputSchemaJson: JSON.stringify(SCHEMA), effect: 'write', idempotent: false, reachesOutside: true },
  ...{
    optionProperties: ['team'],
    dynamicProperties: ['fields'],
    category: 'write',
    defaultedKeys: [],
    partialsTag: '',
    takesFiles: false,
    adds: true,
  },
};
const listed = (offer: object = {}, described: object = {}): any =>
  toListedTool('acme__post', { ...OFFER, ...offer }, { ...DESCRIBED, ...described });

it.each([
  ['reads', { effect: 'read', adds: true }, { readOnlyHint: true, destructiveHint: false }],
  ['only adds', { effect: 'write', adds: true }, { readOnlyHint: false, destructiveHint: false }],
  ['changes what exists', { effect: 'write', adds: false }, { readOnlyHint: false, destructiveHint: true }],
  ['deletes', { effect: 'destructive', adds: false }, { readOnlyHint: false, destructiveHint: true }],
])('annotates a tool that %s as MCP defines it', (_, described, hints) => {
  expect(listed({}, described).annotations).toMatchObject(hints);
});

it('leaves out the annotations that have the default of MCP', () => {
  expect(listed().annotations).toEqual({ readOnlyHint: false, destructiveHint: false });
  expect(listed({}, { effect: 'read', idempotent: true }).annotations).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
  });
  const own = { idempotent: true, reachesOutside: false };
  expect(listed({}, own).annotations).toMatchObject({ idempotentHint: true, openWorldHint: false });
});

it('names svc_options in the descriptions of the properties that have options only', () => {
  const { properties, required } = listed().inputSchema;
  expect(properties.team.description).toBe('A team. See svc_options.');
  expect(properties.fields.description).toBe('See svc_options.');
  expect(properties.text).toEqual({ type: 'string' });
  expect(required).toEqual(['team']);
});

it('leaves out what a model does not need of a schema, and nothing else', () => {
  const properties = {
    repo: { title: 'Repository', description: 'Owner and name.', type: 'string', pattern: '^.+/.+$', maxLength: 200 },
    due_at: { title: 'Due at', type: 'string', format: 'date-time' },
    colour: { title: 'Label colour', type: 'string', enum: ['red', 'blue'], default: 'red' },
    title: {
      title: 'Title',
      type: 'object',
      properties: { title: { type: 'string', minLength: 1 } },
      required: ['title'],
    },
    items: {
      ...{ type: 'array', minItems: 1, maxItems: 9, uniqueItems: true },
      items: { type: 'object', properties: { pattern: { type: 'number', minimum: 1 } }, additionalProperties: false },
    },
    map: { type: 'object', additionalProperties: { anyOf: [{ type: 'string', maxLength: 4 }, { const: false }] } },
  };
  const inputSchemaJson = JSON.stringify({ type: 'object', properties, additionalProperties: false });
  expect(listed({}, { inputSchemaJson, optionProperties: [], dynamicProperties: [] }).inputSchema).toEqual({
    type: 'object',
    additionalProperties: false,
    properties: {
      repo: { description: 'Owner and name.', type: 'string' },
      due_at: { type: 'string', format: 'date-time' },
      colour: { title: 'Label colour', type: 'string', enum: ['red', 'blue'], default: 'red' },
      title: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
      items: {
        ...{ type: 'array', minItems: 1 },
        items: { type: 'object', properties: { pattern: { type: 'number', minimum: 1 } } },
      },
      map: { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { const: false }] } },
    },
  });
});

it('omits an empty list of required properties, which early versions of JSON Schema refuse', () => {
  const inputSchemaJson = JSON.stringify({ ...SCHEMA, required: [] });
  expect(listed({}, { inputSchemaJson }).inputSchema).not.toHaveProperty('required');
});

it('has the name of its server, and cuts long texts', () => {
  expect(listed()).toMatchObject({ title: 'Acme: Post', description: 'Posts a message.' });
  expect(listed({ displayName: 'Tell', description: 'Tells.' })).toMatchObject({
    title: 'Tell',
    description: 'Tells.',
  });
  const { title, description } = listed({ displayName: '😀'.repeat(500), description: '😀'.repeat(9_000) });
  expect([[...title].length, [...description].length]).toEqual([200, 2_000]);
});

/** The names that the strictest client accepts. */
const TAKEN = /^[a-zA-Z0-9_-]{1,64}$/;
const long = (letter: string, length: number): string => letter.repeat(length);

it('consists of the alias and the action', () => {
  expect(toolName('github', 'create_issue')).toBe('github__create_issue');
  expect(toolName('github-eu', 'get')).toBe('github-eu__get');
});

it('stays the same in every version, because clients store the allowed names', () => {
  expect(toolName(long('a', 64), 'create_issue')).toBe(`${long('a', 53)}-779f6d2929`);
});

const PAIRS = [
  ['github', 'get'],
  ['a', 'b__c'],
  ['a__b', 'c'],
  ['a_', 'b'],
  ['a', '_b'],
  ['a', 'b'],
  [long('a', 64), 'b'],
  [long('a', 64), 'c'],
  [long('a', 31), long('b', 31)],
  [long('a', 31), long('b', 32)],
  ['a', 'send message'],
  ['a', 'send-message'],
  ['a', 'sënd'],
  ['a', 'sand'],
  ['a', '日本語'],
  ['a', long('é', 100)],
] as const;

it.each(PAIRS)('has a name that every client accepts: %s, %s', (alias, action) => {
  expect(toolName(alias, action)).toMatch(TAKEN);
});

it('is unique to one pair', () => {
  expect(new Set(PAIRS.map(([alias, action]) => toolName(alias, action))).size).toBe(PAIRS.length);
});
