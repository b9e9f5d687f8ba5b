import { patternsOf } from './patterns.js';
import { redactor } from './redactor.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const form = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

const DISGUISES: [string, (secret: string) => string][] = [
  ['as it is', (secret) => secret],
  ['by encodeURIComponent', encodeURIComponent],
  ['URL-encoded twice, in lower case', (secret) => encodeURIComponent(encodeURIComponent(secret)).toLowerCase()],
  ['by encodeURI', encodeURI],
  ['as a form', form],
  ['as JSON in JSON', (secret) => json(json(secret))],
  ['in hex', (secret) => Buffer.from(secret).toString('hex')],
  ['in base64', (secret) => base64(`:${secret}`)],
  ['in base64 with line breaks', (secret) => base64(secret).replace(/.{76}/g, '$&\r\n')],
  ['in base64 as JSON', (secret) => base64(JSON.stringify({ secret }))],
  ['in base64 as a form', (secret) => base64(form(secret))],
  [
    'in base64 in lower case',
    (secret) => base64(encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase())),
  ],
];

describe('a long secret', () => {
  const long = Array.from({ length: 6_000 }, (_, index) => `"&‹'é${index}`)
    .join('')
    .slice(0, 60_000);
  const { text, json: redactJson } = redactor([long]);

  it.each(DISGUISES)('goes as a whole %s', (_how, disguise) => {
    const said = disguise(long);
    const left = /^[^]{0,50}\[redacted\][^]{0,50}$/;
    expect(text(said)).toMatch(left);
    const shown = JSON.parse(redactJson(JSON.stringify(['before', `x ${said} y`, 'after'])));
    expect(shown).toEqual(['before', expect.stringMatching(left), 'after']);
  });

  it.each(['é', '漢', '😀'])('that is cut before %s hides the secrets after it, and halves no character', (letter) => {
    const secret = Array.from({ length: 900 }, (_, index) => `k${index}`).join('');
    const both = redactor([secret, 'Hunter2-Secret']);
    for (let shift = 0; shift < 4; shift++) {
      const cut = `${secret.slice(0, 2_500 + shift)}${letter.repeat(3_000)} `.repeat(14);
      const shown = both.text(`${cut}key=Hunter2-Secret and more`);
      expect(shown.slice(-26)).toBe(' key=[redacted] and more'.padStart(26, letter).slice(-26));
      expect(Buffer.from(shown).toString()).toBe(shown);
      const [first, last] = JSON.parse(both.json(JSON.stringify([cut, { key: 'Hunter2-Secret' }])));
      expect([typeof first, last]).toEqual(['string', { key: '[redacted]' }]);
    }
  });

  it('leaves what stands around it', () => {
    expect(text(`before|${long}|after`)).toBe('before|[redacted]|after');
  });

  it.each([
    ['its beginning', long.slice(0, 5_000)],
    ['its end', long.slice(-5_000)],
  ])('is found by %s, and never beyond the text that it stands in', (_what, part) => {
    expect(JSON.parse(redactJson(JSON.stringify(['before', part, 'after'])))).toEqual([
      'before',
      '[redacted]',
      'after',
    ]);
  });

  it('costs what a short one does', () => {
    expect(redactor([long]).text.reach).toBeLessThan(30_000);
    for (const secrets of [[long], Array.from({ length: 100 }, (_, at) => long.slice(at * 600, at * 600 + 600))]) {
      const size = patternsOf(secrets).patterns.reduce((sum, { bytes }) => sum + bytes.length, 0);
      expect(size).toBeLessThanOrEqual(64 * 1024);
    }
  });

  it('shares 1,000 bytes with another token of its issuer, which stays', () => {
    const token = (claims: string): string => `${base64('{"alg":"RS256","kid":"1"}'.padEnd(600))}.${claims}`;
    const claims = (salt: number): string => Array.from({ length: 500 }, (_, at) => `${at * salt}`).join('x');
    const [mine, other] = [token(claims(7_919)), token(claims(6_007))];
    expect(redactor([mine]).text(`${other} ${mine}`)).toBe(`${other} [redacted]`);
  });

  it('takes at most 30 MB, as `bytes` says', () => {
    expect(redactor([long]).bytes).toBeGreaterThan(5 * redactor(['a short secret']).bytes);
    expect(redactor([long]).bytes).toBeLessThan(30e6);
  });
});
