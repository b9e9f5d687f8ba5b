import { plainName } from './plain-name.js';

describe('plainName', () => {
  it.each([
    ['keeps a name', 'Müller & Söhne B.V.', 'Müller & Söhne B.V.'],
    ['keeps a version', 'Acme v2.1', 'Acme v2.1'],
    ['writes one line', 'Acme\r\nBcc: bob', 'Acme Bcc: bob'],
    ['drops control and bidirectional characters', 'Acme\u202Egnp\u0000', 'Acme gnp'],
    ['makes no link of an address', 'Pay at https://evil.example/now', 'Pay at evil[.]example/now'],
    ['makes no link of a host', 'evil.example', 'evil[.]example'],
    ['makes no link of a host in other letters', 'b\u00FCcher.\u00F6sterreich', 'bücher[.]österreich'],
    ['makes no link of another scheme', 'javascript:alert(1) mailto:a', 'alert(1) a'],
    ['makes no link of an e-mail address', 'ann@evil.example', 'ann[at]evil[.]example'],
    ['marks dots that only look like dots', 'evil\u3002example', 'evil⟨U+3002⟩example'],
    ['marks look-alike letters', 'P\u0430ypal', 'P⟨U+0430⟩ypal'],
    ['bounds the length', 'x'.repeat(500), `${'x'.repeat(80)}…`],
  ])('%s', (_what, name, plain) => expect(plainName(name)).toBe(plain));

  it('bounds the length as the caller says', () => {
    expect(plainName('x'.repeat(500), 200)).toBe(`${'x'.repeat(200)}…`);
  });

  it('costs time in proportion to the length of a name at most', () => {
    const timeOf = (length: number): number => {
      const name = 'a'.repeat(length);
      const before = process.cpuUsage();
      plainName(name);
      const { user, system } = process.cpuUsage(before);
      return Math.max(1, user + system);
    };
    const best = (length: number): number => Math.min(...Array.from({ length: 5 }, () => timeOf(length)));
    // The input is 100 times as long. Quadratic work takes 10,000 times as long for it.
    expect(best(1_000_000) / best(10_000)).toBeLessThan(1_000);
  });
});
