import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { findProblems } from './check-value.js';
import { SCHEMAS } from './gen/schemas.js';
import { type JsonSchema } from './json-schema.js';
import { validateInput } from './validate.js';

const ISSUE = { integration: 'github', action: 'create_issue' };

const problemsOf = (schema: JsonSchema, value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(findProblems(schema, value, 'input')).map(([path, { message }]) => [path, message]),
  );

describe('validateInput', () => {
  it('accepts what the action accepts', () => {
    expect(validateInput(ISSUE, { repo: 'acme/app', title: 'Broken' })).toEqual({});
  });

  it('names each problem by its path, as the API does', () => {
    expect(validateInput(ISSUE, { repo: 1, labels: ['a', 2], colour: 'red' })).toEqual({
      'input.repo': { message: 'must be string' },
      'input.title': { message: 'is required' },
      'input.labels[1]': { message: 'must be string' },
      'input.colour': { message: 'unknown key' },
    });
  });

  it('accepts missing fields that partials provide', () => {
    expect(validateInput(ISSUE, { title: 'Broken' }, { isPartial: true })).toEqual({});
  });

  it('refuses an action that is not in the catalog', () => {
    expect(() => validateInput({ integration: 'constructor', action: 'x' }, {})).toThrow(/no action constructor.x/);
    const schemas = { erp: { displayName: 'ERP', actions: { book: { description: '', schema: {} } } } };
    expect(validateInput({ integration: 'erp', action: 'book' }, 1, { schemas })).toEqual({});
  });
});

const equal = (one: number, other: number) =>
  `must NOT have duplicate items (items ## ${one} and ${other} are identical)`;

describe('findProblems', () => {
  it.each<[JsonSchema, unknown, Record<string, string>]>([
    [{ type: 'string', minLength: 2 }, '😀', { input: 'must NOT have fewer than 2 characters' }],
    [{ type: 'string', maxLength: 1 }, '😀', {}],
    [{ type: 'string', pattern: '^a$' }, 'b', { input: 'must match pattern "^a$"' }],
    [{ type: 'integer', minimum: 1, maximum: 3 }, 4, { input: 'must be <= 3' }],
    [{ type: 'integer' }, 1.5, { input: 'must be integer' }],
    [{ type: 'number' }, Number.NaN, { input: 'must be number' }],
    [{ enum: ['a', 1] }, 'b', { input: 'must be one of a, 1' }],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, true, { input: 'must be string or must be number' }],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 1, {}],
    [{ type: 'array', minItems: 1 }, [], { input: 'must NOT have fewer than 1 items' }],
    [{ type: 'string', enum: ['a'] }, 1, { input: 'must be string and must be one of a' }],
    [{ type: 'integer', maximum: 3 }, 4.5, { input: 'must be integer and must be <= 3' }],
    [{ type: 'integer', maximum: 3 }, Infinity, { input: 'must be integer' }],
    [
      { anyOf: [{ enum: ['a'] }, { type: 'string', enum: ['b'] }] },
      1,
      { input: 'must be one of a or must be string or must be one of b' },
    ],
    [{ type: 'array', uniqueItems: true }, ['a', 'b', 'b', 'a'], { input: equal(0, 3) }],
    [
      { type: 'array', uniqueItems: true },
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      { input: equal(0, 1) },
    ],
    [{ type: 'array', uniqueItems: true, items: { type: 'string' } }, ['a', 'b', 'b', 'a'], { input: equal(2, 1) }],
    [{ type: 'array', uniqueItems: true, items: { type: 'integer' } }, [1, 2, 1], { input: equal(2, 0) }],
    [
      { type: 'array', uniqueItems: true, items: { type: 'string' } },
      [1, 1],
      { 'input[0]': 'must be string', 'input[1]': 'must be string' },
    ],
    [{ type: 'object', additionalProperties: { type: 'string' } }, { a: 1 }, { 'input.a': 'must be string' }],
    [
      { type: 'object', propertyNames: { maxLength: 1 } },
      { ab: 1 },
      { 'input.ab': 'its name must NOT have more than 1 characters' },
    ],
    [{ type: 'object' }, [], { input: 'must be object' }],
    [{ type: 'object', required: ['a'] }, { a: undefined }, { 'input.a': 'is required' }],
  ])('checks %j', (schema, value, problems) => {
    expect(problemsOf(schema, value)).toEqual(problems);
  });

  it('agrees with ajv, which the server uses, on every action', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const differences = Object.entries(SCHEMAS).flatMap(([integration, { actions }]) =>
      Object.entries(actions).flatMap(([action, { schema }]) => {
        const isValid = ajv.compile(schema);
        return inputsFor(schema).flatMap((input) => {
          isValid(input);
          const errors = (isValid.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf');
          const theirs = [...new Set(errors.map((error) => pathOf(error, input)))].sort().join(' ');
          const own = Object.keys(problemsOf(schema, input)).sort().join(' ');
          return own === theirs ? [] : [{ integration, action, input, own, theirs }];
        });
      }),
    );
    expect(differences).toEqual([]);
  });
});

const VALUES = ['', 'text', 0, -1, 1.5, true, null, [], ['a', 'a'], [1, {}], {}, { a: 1 }, { filename: '' }];

/** Returns inputs to validate: an empty one, one with an unknown key, and for each test value one in which every property has that value. */
const inputsFor = ({ properties = {} }: JsonSchema): unknown[] => [
  {},
  { unknown: 1 },
  ...VALUES.map((value) => Object.fromEntries(Object.keys(properties).map((name) => [name, value]))),
];

function pathOf({ instancePath, params }: ErrorObject, input: unknown): string {
  const last = params['missingProperty'] ?? params['additionalProperty'];
  const keys = [...instancePath.split('/').slice(1), ...(last === undefined ? [] : [String(last)])];
  let parent: any = input;
  return keys.reduce((path, key) => {
    const next = Array.isArray(parent) ? `${path}[${key}]` : `${path}.${key}`;
    parent = parent?.[key];
    return next;
  }, 'input');
}
