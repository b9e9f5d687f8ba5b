import { type JsonObject } from '@drawbridge/piece-kit';
import { type Preview } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { redactor } from '../redaction/redactor.js';
import { toPreview } from './preview.js';

const SECRET = 'ghp_0123456789abcdef';
const HIDDEN = '[redacted]';
const preview = (input: JsonObject): Preview =>
  toPreview(input, (key) => key === 'pin', redactor([SECRET, '98765432']));

it.each<[string, JsonObject, JsonObject, string[]]>([
  ['nothing', {}, {}, []],
  ['what is no secret, as it is', { a: [1, true, null, { b: 'x' }] }, { a: [1, true, null, { b: 'x' }] }, []],
  ['what the action marks, hidden', { pin: 'x' }, { pin: HIDDEN }, ['pin']],
  ['what it does not mark there, as it is', { a: { pin: 'x' } }, { a: { pin: 'x' } }, []],
  [
    'what stands under a telling key, hidden',
    { headers: { Authorization: { a: 1 } } },
    { headers: { Authorization: HIDDEN } },
    ['headers.Authorization'],
  ],
  [
    'a credential, hidden',
    { items: ['a', { note: `is ${SECRET}!` }] },
    { items: ['a', { note: `is ${HIDDEN}!` }] },
    ['items[1].note'],
  ],
  ['one in base64, hidden', { a: Buffer.from(SECRET).toString('base64url') }, { a: HIDDEN }, ['a']],
  ['a credential that is a number, hidden', { a: 98765432 }, { a: HIDDEN }, ['a']],
  ['one that is a key, hidden', { [SECRET]: 1 }, { [HIDDEN]: 1 }, [HIDDEN]],
  [
    'what addresses hold, hidden',
    { url: 'https://ann:pw@x.example/?token=t&b=1' },
    { url: `https://ann:${HIDDEN}@x.example/?token=${HIDDEN}&b=1` },
    ['url'],
  ],
])('shows of an input %s', (_what, input, shown, paths) => {
  expect(preview(input)).toEqual({ input: shown, redactedPaths: paths });
});

it('shows the beginning of a long input, without a credential, wherever it is cut', () => {
  for (const length of [15_900, 15_990, 31_990, 60_000]) {
    const { input } = preview({ a: 'x'.repeat(length) + SECRET + 'y'.repeat(60_000), b: SECRET });
    expect(input).toMatchObject({ truncated: true });
    expect(JSON.stringify(input).length).toBeLessThan(17_000);
    expect(JSON.stringify(input)).not.toContain(SECRET.slice(0, 8));
  }
});

it('names at most 100 places, of at most 200 characters, and looks at no more than it shows', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`token${n}`, 'x']));
  expect(preview(many).redactedPaths).toHaveLength(100);
  const [path] = preview({ ['k'.repeat(5_000)]: { token: 1 } }).redactedPaths;
  expect(path!.length).toBeLessThanOrEqual(200);
  const wide = { list: Array.from({ length: 1_000_000 }, () => 'token=1') };
  expect(preview(wide).input).toMatchObject({ truncated: true });
});
