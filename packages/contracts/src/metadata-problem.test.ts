import { metadataProblem } from './metadata-problem.js';

const keys = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
/** Returns `{"k":"…"}` with a size of `count` bytes. */
const bytes = (count: number, mark = 'a'): object => ({ k: mark.repeat((count - 8) / Buffer.byteLength(mark)) });

it.each([
  ['nothing', {}],
  ['50 keys', keys(50)],
  ['a key with many in it', { one: keys(51) }],
  ['16 kB', bytes(16_384)],
])('accepts %s', (_what, metadata) => expect(metadataProblem(metadata)).toBeUndefined());

it.each([
  ['51 keys', keys(51), 'must have at most 50 keys, has 51'],
  ['a byte more than 16 kB', bytes(16_385), 'must be at most 16384 bytes as JSON, is 16385'],
  ['as much in letters of two bytes', bytes(16_386, 'ä'), 'must be at most 16384 bytes as JSON, is 16386'],
])('refuses %s', (_what, metadata, problem) => expect(metadataProblem(metadata)).toBe(problem));
