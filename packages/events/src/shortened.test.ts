import { shortened } from './shortened.js';

describe('shortened', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc… (4 characters)'],
    ['ab😀d', 3, 'ab… (5 characters)'],
    ['', 3, ''],
  ])('of %j to %i is %j', (text, most, expected) => expect(shortened(text, most)).toBe(expected));
});
