import { plainly } from './plainly.js';

it.each([
  ['reads from right to left', 'to \u202Emoc.live@nna', 'to ⟨U+202E⟩moc.live@nna'],
  ['has an order of its own', '\u2066a\u2069 \u200Fb', '⟨U+2066⟩a⟨U+2069⟩ ⟨U+200F⟩b'],
  ['is not seen', 'a\u200Bb\u00ADc\uFEFFd\u3164e\u2063', 'a⟨U+200B⟩b⟨U+00AD⟩c⟨U+FEFF⟩d⟨U+3164⟩e⟨U+2063⟩'],
  ['carries words that only a model reads', 'hi\u{E0068}\u{E0069}\u{E0100}', 'hi⟨U+E0068⟩⟨U+E0069⟩⟨U+E0100⟩'],
  ['controls a terminal', 'a\u001B[2Kb\u0085', 'a⟨U+001B⟩[2Kb⟨U+0085⟩'],
  ['ends a line for some', 'a\u2028b', 'a⟨U+2028⟩b'],
])('names what %s', (_what, text, shown) => expect(plainly(text)).toBe(shown));

it.each(['one\r\n\ttwo', '👩‍👩‍👧 ❤️', 'می‌خواهم', 'שלום ann', 'Ärzte & <b>Söhne</b>'])(
  'leaves what people write: %j',
  (text) => expect(plainly(text)).toBe(text),
);
