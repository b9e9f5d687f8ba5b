import { REDACTED } from '@drawbridge/piece-kit';
import { redactor } from '../redaction/redactor.js';
import { LineRedactor } from './line-redactor.js';

const SECRET = 'sk_live_0123456789abcdef';
const MAX = 16_384;

const shownOf = (texts: string[], secrets = [SECRET], takeEach = true): string[] => {
  const lines = new LineRedactor(redactor(secrets).text, MAX);
  const shown: string[] = [];
  for (const text of texts) {
    lines.push({ level: 'log', text });
    if (takeEach) shown.push(...lines.take(false).map((line) => line.text));
  }
  return [...shown, ...lines.take(true).map((line) => line.text)];
};

it('shows lines at once if there are no secrets', () => {
  const lines = new LineRedactor(redactor([]).text, MAX);
  lines.push({ level: 'warn', text: SECRET });
  expect(lines.take(false)).toEqual([{ level: 'warn', text: SECRET }]);
});

it('redacts each line', () => {
  const texts = ['first', `key ${SECRET}`, 'last'];
  expect(shownOf(texts)).toEqual(['first', `key ${REDACTED}`, 'last']);
  expect(shownOf(texts, [SECRET], false)).toEqual(['first', `key ${REDACTED}`, 'last']);
});

it.each(Array.from({ length: SECRET.length - 1 }, (_, at) => at + 1))(
  'shows no part of a secret that is cut after %d characters',
  (at) => {
    for (const takeEach of [true, false]) {
      const text = shownOf([`a ${SECRET.slice(0, at)}`, `${SECRET.slice(at)} b`], [SECRET], takeEach).join('');
      expect(text.replaceAll(REDACTED, '')).not.toMatch(/sk_|live|0123|cdef/);
    }
  },
);

it('shows no part of a secret of several lines', () => {
  const key = Array.from({ length: 5 }, (_, at) => String(at).repeat(40)).join('\n');
  const shown = shownOf(['before', ...key.split('\n'), 'after'], [key]);
  expect(shown.join('')).not.toMatch(/0{10}|1{10}|2{10}|3{10}|4{10}/);
});

it('shows no beginning of a secret at the end of a text that was cut', () => {
  const cut = ('x'.repeat(MAX - 10) + SECRET).slice(0, MAX);
  expect(shownOf([cut]).join('')).not.toContain('sk_');
});

it('holds lines back only until enough characters follow them', () => {
  const lines = new LineRedactor(redactor([SECRET]).text, MAX);
  lines.push({ level: 'log', text: 'first' });
  lines.push({ level: 'log', text: 'y'.repeat(10 * SECRET.length) });
  expect(lines.take(false)).toEqual([{ level: 'log', text: 'first' }]);
});
