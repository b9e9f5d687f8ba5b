import { makeNameVisible, makeVisible } from './make-visible.js';

describe('makeVisible', () => {
  it.each([
    ['bidirectional controls', 'to \u202Emoc.live@nna', 'to ⟨U+202E⟩moc.live@nna'],
    ['isolates and marks', '\u2066a\u2069 \u200Fb', '⟨U+2066⟩a⟨U+2069⟩ ⟨U+200F⟩b'],
    ['invisible characters', 'a\u200Bb\u00ADc\uFEFFd\u3164e\u2063', 'a⟨U+200B⟩b⟨U+00AD⟩c⟨U+FEFF⟩d⟨U+3164⟩e⟨U+2063⟩'],
    ['tags and selectors', 'hi\u{E0068}\u{E0069}\u{E0100}', 'hi⟨U+E0068⟩⟨U+E0069⟩⟨U+E0100⟩'],
    ['control characters', 'a\u001B[2Kb\u0085', 'a⟨U+001B⟩[2Kb⟨U+0085⟩'],
    ['line separators', 'a\u2028b', 'a⟨U+2028⟩b'],
    ['joiners and selectors between letters', 'ev\u200Dil\uFE0F', 'ev⟨U+200D⟩il⟨U+FE0F⟩'],
    ['blank characters', 'a\u00A0b\u2800c\u3000d\u2003e', 'a⟨U+00A0⟩b⟨U+2800⟩c⟨U+3000⟩d⟨U+2003⟩e'],
    ['letters of another script in a word', 'https://\u0430pple.com', 'https://⟨U+0430⟩pple.com'],
    ['such letters in an e-mail address', 'ann@p\u0430ypal.com', 'ann@p⟨U+0430⟩ypal.com'],
    [
      'a host of look-alike letters',
      '\u0430\u0440\u0440\u04cf\u0435.com',
      '⟨U+0430⟩⟨U+0440⟩⟨U+0440⟩⟨U+04CF⟩⟨U+0435⟩.com',
    ],
    ['dots that only look like dots', 'acme.com\u3002evil.example', 'acme.com⟨U+3002⟩evil.example'],
    ['slashes that only look like slashes', 'acme.com\u2215x.evil.example', 'acme.com⟨U+2215⟩x.evil.example'],
    ['letters in circles', 'evil.\u24d4xample', 'evil.⟨U+24D4⟩xample'],
    ['fullwidth letters', '\uff45vil.example', '⟨U+FF45⟩vil.example'],
    ['dotless letters', 'p\u0131x.example', 'p⟨U+0131⟩x.example'],
  ])('writes %s as code points', (_what, text, shown) => {
    expect(makeVisible(text)).toBe(shown);
    expect(makeVisible(shown)).toBe(shown);
  });

  it.each([
    'one\r\n\ttwo',
    '👩‍👩‍👧 ❤️ 👋🏽 1️⃣',
    'می‌خواهم',
    'क्‍ष',
    'שלום ann',
    'Ärzte & <b>Söhne</b>, müller.de',
    'Напиши Ивану: ivan@компания.рф, Wi-Fi-роутер',
    'Ένα μήνυμα',
    '你好。世界 Tシャツ',
    '5 µm, 20 °C, ①, x²',
  ])('leaves normal text unchanged: %j', (text) => expect(makeVisible(text)).toBe(text));
});

describe('makeNameVisible', () => {
  it.each([
    ['\u0441\u0441', '⟨U+0441⟩⟨U+0441⟩'],
    ['t\u043e', 't⟨U+043E⟩'],
    ['to\u3164', 'to⟨U+3164⟩'],
    ['\uff54o', '⟨U+FF54⟩o'],
    ['to ', 'to⟨U+0020⟩'],
    [' a  b\n', '⟨U+0020⟩a ⟨U+0020⟩b⟨U+000A⟩'],
    ['first name', 'first name'],
    ['имя', 'имя'],
    ['to', 'to'],
  ])('shows %j as %j', (name, shown) => expect(makeNameVisible(name)).toBe(shown));
});
