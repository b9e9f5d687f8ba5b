import fc from 'fast-check';

/** A one-unit character followed by characters of two UTF-16 units: a cut after an even number of units splits a character. */
export const FACES = `a${'😀'.repeat(150)}`;

/** Malformed and unexpected values for any field. */
export const anything = fc.oneof(
  fc.json().map((text) => JSON.parse(text) as unknown),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom<unknown>(
    '',
    '\0',
    '\ud800',
    '%00',
    '../..',
    "'; DROP TABLE x; --",
    '{{x}}',
    '__proto__',
    'x'.repeat(5_000),
    'a' + '😀'.repeat(3_000),
    { ['a' + '😀'.repeat(900)]: '\0' },
    { ['k'.repeat(17_000)]: 1 },
    nested(31),
    nested(200),
    Array(60_000).fill(0),
    FACES,
    '漢'.repeat(1_000),
  ),
  fc.string({ unit: 'binary', minLength: 190, maxLength: 410 }),
  fc.constantFrom<unknown>({ [FACES]: FACES }, [{ [FACES]: [FACES] }], { '\ud83d': '\udc00' }),
  fc.constantFrom<unknown>(0, -1, 1e308, 2 ** 31, 2 ** 53, 0.1, null, true, [], {}, [[[[[[]]]]]], {
    __proto__: 1,
    $ref: '#',
  }),
  fc.uuid(),
);

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
}
