import { isDeepStrictEqual } from 'node:util';
import { type ApiError } from '@drawbridge/contracts';
import { type JsonObject, type JsonSchema, type JsonValue } from '@drawbridge/piece-kit';
import fc from 'fast-check';
import {
  formSchema,
  MAX_NAMED,
  mergeInput,
  type PartialHead,
  type PartialInput,
  pickPartials,
} from './apply-partials.js';

const head = (id: string, more: Partial<PartialHead> = {}): PartialHead => ({
  id,
  name: id,
  actionName: null,
  triggerName: null,
  isDefault: false,
  updatedAt: '',
  ...more,
});

const HEADS = [
  head('all', { isDefault: true }),
  head('mine', { actionName: 'hash', isDefault: true }),
  head('other', { actionName: 'hmac', isDefault: true }),
  head('event', { triggerName: 'hash', isDefault: true }),
  head('named', { actionName: 'hash' }),
];
const hash = { actionName: 'hash' };

const picked = (partialIds?: string[]): string[] => pickPartials(HEADS, hash, partialIds).map(({ id }) => id);

/** Returns the error paths of the partial ids that `pickPartials` rejects. */
function refused(partialIds: string[]): string[] {
  try {
    pickPartials(HEADS, hash, partialIds);
  } catch (error) {
    return Object.keys((error as ApiError).details['fields'] as object);
  }
  return [];
}

describe('the partials of a call', () => {
  it('are, where it names none, the default ones of its action and of all actions, oldest first', () => {
    expect(picked()).toEqual(['all', 'mine']);
    expect(pickPartials(HEADS, { triggerName: 'hash' }).map(({ id }) => id)).toEqual(['all', 'event']);
  });

  it('are none where it names an empty list', () => {
    expect(picked([])).toEqual([]);
  });

  it('are only those that it names, in its order', () => {
    expect(picked(['named', 'ALL'])).toEqual(['named', 'all']);
  });

  it('are refused, each by its place, where they are unknown or of another action or a trigger', () => {
    expect(refused(['mine', 'absent', 'other', 'event'])).toEqual(['partialIds[1]', 'partialIds[2]', 'partialIds[3]']);
  });

  it('are no more than may be', () => {
    expect(picked(Array(MAX_NAMED).fill('all'))).toHaveLength(MAX_NAMED);
    expect(refused(Array(MAX_NAMED + 1).fill('all'))).toEqual(['partialIds']);
  });
});

const partial = (values: JsonObject, ...enforcedKeys: string[]): PartialInput => ({ values, enforcedKeys });

describe('the input of a call', () => {
  it.each<[string, PartialInput[], JsonObject, JsonObject]>([
    ['is what the caller sends where there are no partials', [], { a: 1, b: null }, { a: 1, b: null }],
    ['holds what a partial says and the caller does not', [partial({ a: 1 })], { b: 2 }, { a: 1, b: 2 }],
    ["is the caller's where both say something", [partial({ a: 1 })], { a: 2 }, { a: 2 }],
    ["is the later partial's", [partial({ a: 1 }), partial({ a: 2 })], {}, { a: 2 }],
    ['is what a partial enforces', [partial({ a: 1, b: 1 }, 'a')], { a: 2, b: 2 }, { a: 1, b: 2 }],
    ['is what an earlier one enforces', [partial({ a: 1 }, 'a'), partial({ a: 2 })], {}, { a: 1 }],
    ['is what the later enforces of two', [partial({ a: 1 }, 'a'), partial({ a: 2 }, 'a')], { a: 3 }, { a: 2 }],
    ['replaces an object whole', [partial({ a: { x: 1, y: 1 } })], { a: { x: 2 } }, { a: { x: 2 } }],
    ['replaces a list whole', [partial({ a: [1, 2] })], { a: [] }, { a: [] }],
    ['lacks a default that the caller takes back', [partial({ a: 1, b: 1 })], { a: null }, { b: 1 }],
    ['lacks what a later partial takes back', [partial({ a: 1 }), partial({ a: null })], {}, {}],
    ['holds what the caller says after that', [partial({ a: 1 }), partial({ a: null })], { a: 2 }, { a: 2 }],
    ['lacks a key that an enforced null keeps out', [partial({ a: null }, 'a')], { a: 2 }, {}],
    ['keeps an enforced key against a null', [partial({ a: 1 }, 'a')], { a: null }, { a: 1 }],
    ['keeps a null that no partial is about', [partial({ a: 1 })], { b: null }, { a: 1, b: null }],
    ['keeps a null inside of a value', [partial({ a: 1 })], { a: { x: null } }, { a: { x: null } }],
  ])('%s', (_what, partials, input, merged) => {
    expect(mergeInput(partials, input)).toEqual(merged);
  });

  it('does not change its inputs', () => {
    const [partials, input] = [[partial({ a: { x: 1 } }, 'a')], { a: 2, b: 3 }];
    const before = structuredClone({ partials, input });
    mergeInput(partials, input);
    expect({ partials, input }).toEqual(before);
  });
});

/** Computes the merged value of one key independently of `mergeInput`, as a reference for random tests. */
function expected(partials: PartialInput[], input: JsonObject, key: string): JsonValue | undefined {
  const naming = partials.filter(({ values }) => Object.hasOwn(values, key));
  const winner = naming.findLast(({ enforcedKeys }) => enforcedKeys.includes(key))?.values;
  const value = [winner, input, naming.at(-1)?.values].find((one) => one && Object.hasOwn(one, key))?.[key];
  return value === null && naming.length > 0 ? undefined : value;
}

// Uses few keys, so that random partials often contain equal keys. Includes names that every object inherits, because they must be treated like other
// keys.
const keys = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString');
const values = fc.constantFrom<JsonValue>(null, 0, 1, 'x', [1], { x: null });
const object = fc
  .array(fc.tuple(keys, values), { maxLength: 5 })
  .map((entries): JsonObject => Object.fromEntries(entries));
const anyPartial = fc
  .tuple(object, fc.array(keys, { maxLength: 3 }))
  .map(([said, some]) => partial(said, ...some.filter((key) => Object.hasOwn(said, key))));

it('matches a reference implementation in 10,000 random merges', () => {
  fc.assert(
    fc.property(fc.array(anyPartial, { maxLength: 4 }), object, (partials, input) => {
      const all = new Set([...partials.map((one) => one.values), input].flatMap((one) => Object.keys(one)));
      const wanted = [...all].map((key) => [key, expected(partials, input, key)] as const);
      const merged = mergeInput(partials, input);
      return isDeepStrictEqual(merged, Object.fromEntries(wanted.filter(([, one]) => one !== undefined)));
    }),
    { numRuns: 10_000 },
  );
});

const text = { type: 'string' } as const;
const SCHEMA: JsonSchema = {
  type: 'object',
  properties: { repo: text, title: text, body: text },
  required: ['repo', 'title'],
  additionalProperties: false,
};

/** Returns the properties that the form schema still contains, and the required ones. */
function left(...partials: PartialInput[]): { may: string[]; must: readonly string[] } {
  const { properties = {}, required = [], ...rest } = formSchema(SCHEMA, partials);
  expect(rest).toEqual({ type: 'object', additionalProperties: false });
  return { may: Object.keys(properties), must: required };
}

describe('the schema given to people', () => {
  it.each<[string, PartialInput[], string[], string[]]>([
    ["is the action's where no partial applies", [], ['repo', 'title', 'body'], ['repo', 'title']],
    ['makes optional what has a default', [partial({ repo: 'a/b' })], ['repo', 'title', 'body'], ['title']],
    ['omits what is enforced', [partial({ repo: 'a/b', body: 'x' }, 'repo', 'body')], ['title'], ['title']],
    ['omits what is kept out', [partial({ body: null }, 'body')], ['repo', 'title'], ['repo', 'title']],
    [
      'asks for what a later partial takes back',
      [partial({ repo: 'a/b' }), partial({ repo: null })],
      ['repo', 'title', 'body'],
      ['repo', 'title'],
    ],
  ])('%s', (_what, partials, may, must) => {
    expect(left(...partials)).toEqual({ may, must });
  });
});
