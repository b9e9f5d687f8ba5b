import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import fc from 'fast-check';
import { mergeInput, type PartialInput } from './merge-input.js';

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

  it('leaves what it is made of as it was', () => {
    const [partials, input] = [[partial({ a: { x: 1 } }, 'a')], { a: 2, b: 3 }];
    const before = structuredClone({ partials, input });
    mergeInput(partials, input);
    expect({ partials, input }).toEqual(before);
  });
});

/** A second implementation of the rules, for one key. */
function expected(partials: PartialInput[], input: JsonObject, key: string): JsonValue | undefined {
  const naming = partials.filter(({ values }) => Object.hasOwn(values, key));
  const winner = naming.findLast(({ enforcedKeys }) => enforcedKeys.includes(key))?.values;
  const value = [winner, input, naming.at(-1)?.values].find((one) => one && Object.hasOwn(one, key))?.[key];
  return value === null && naming.length > 0 ? undefined : value;
}

// Few keys, so that they collide, including those that every object inherits.
const keys = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString');
const values = fc.constantFrom<JsonValue>(null, 0, 1, 'x', [1], { x: null });
const object = fc
  .array(fc.tuple(keys, values), { maxLength: 5 })
  .map((entries): JsonObject => Object.fromEntries(entries));
const anyPartial = fc
  .tuple(object, fc.array(keys, { maxLength: 3 }))
  .map(([said, some]) => partial(said, ...some.filter((key) => Object.hasOwn(said, key))));

it('is for every key what a reference says, of 10,000 random merges', () => {
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
