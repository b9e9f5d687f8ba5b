import { line, table, toJson, visible } from './output.js';

it.each([
  ['plain\n\ttext', 'plain\n\ttext'],
  ['\u001b[31m', '⟨U+001B⟩[31m'],
  ['\u009b31m\u007f', '⟨U+009B⟩31m⟨U+007F⟩'],
  ['a\u202eb', 'a⟨U+202E⟩b'],
  ['a\rb', 'a⟨U+000D⟩b'],
  ['👩\u200d💻', '👩\u200d💻'],
])('shows the control characters of %j', (text, expected) => expect(visible(text)).toBe(expected));

it('keeps a text on its line', () => {
  expect(line('a\r\n\tb')).toBe('a b');
  expect(
    table([
      ['a\nb', 'c'],
      ['d', 'e\u001b'],
    ]),
  ).toBe('a b  c\nd    e⟨U+001B⟩');
});

it('escapes control characters in JSON, which is the same value', () => {
  const value = { text: '\u009b\u007f\u202e\u{e0001}\n', list: ['\u001b'] };
  expect(toJson(value)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(toJson(value))).toEqual(value);
  expect(JSON.parse(toJson(value, 2))).toEqual(value);
});
