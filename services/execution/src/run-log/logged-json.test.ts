import { hideInUrls } from '@drawbridge/piece-kit';
import { redactor } from '../redaction/redactor.js';
import { fromLogged, toLogged, toLoggedInput } from './logged-json.js';

const SECRET = 'a-secret-of-30-characters-1234';
const NONE = () => false;

describe('the run log', () => {
  it.each([
    [
      'a token in a query',
      'https://x.example/a?page=2&access_token=abc#t',
      'https://x.example/a?page=2&access_token=[redacted]#t',
    ],
    ['the first of a query', 'GET /a?token=abc%20d&b=1 now', 'GET /a?token=[redacted]&b=1 now'],
    ['an API key', '?api-key=1&apikey=2', '?api-key=[redacted]&apikey=[redacted]'],
    ['a password before the host', 'https://ann:p:w@x.example/', 'https://ann:[redacted]@x.example/'],
    ['nothing else', 'https://x.example:80/a@b?c=d token=1', 'https://x.example:80/a@b?c=d token=1'],
  ])('hides of URLs %s', (_what, text, hidden) => {
    expect(hideInUrls(text)).toBe(hidden);
    expect(JSON.parse(toLogged(JSON.stringify({ a: `"${text}"` })))).toEqual({ a: `"${hidden}"` });
    expect(JSON.parse(toLoggedInput({ a: text }, NONE, redactor([])))).toEqual({ a: hidden });
  });

  it('keeps the beginning of what is longer than 16 kB, as JSON', () => {
    const kept = JSON.parse(toLogged(JSON.stringify({ text: '😀'.repeat(20_000) })));
    expect(kept).toEqual({ truncated: true, preview: `{"text":"${'😀'.repeat(15_991)}` });
  });

  it('keeps the beginning of what nests deeper than 32 levels, and shows no more of what was kept before', () => {
    const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
    expect(toLogged(nested(32))).toBe(nested(32));
    expect(JSON.parse(toLogged(nested(33)))).toEqual({ truncated: true, preview: nested(33) });
    expect(fromLogged(JSON.parse(nested(33)))).toEqual({ truncated: true, preview: nested(33) });
    expect(fromLogged({ a: 1 })).toEqual({ a: 1 });
  });

  it('never keeps half of a secret, wherever a long input is cut', () => {
    for (const before of [15_900, 15_970, 15_991, 16_000, 16_500, 17_000, 17_790]) {
      const input = { text: 'x'.repeat(before) + SECRET.repeat(200) };
      const logged = toLoggedInput(input, NONE, redactor([SECRET]));
      expect(JSON.parse(logged).truncated).toBe(true);
      expect(logged).not.toMatch(/secret-of|character/);
    }
  });
});
