import { createHmac } from 'node:crypto';
import { isRecent, isSameText, isSigned } from './webhooks.js';

const hex = createHmac('sha256', 'secret')
  .update('v0:1:')
  .update(Buffer.from([0xff, 0]))
  .digest('hex');
const signed = {
  algorithm: 'sha256',
  secret: 'secret',
  content: ['v0:1:', Uint8Array.of(0xff, 0)],
  encoding: 'hex',
  prefix: 'v0=',
} as const;

it('accepts bodies signed with the secret', () => {
  expect(isSigned({ ...signed, signature: `v0=${hex}` })).toBe(true);
  const base64 = createHmac('sha1', 'secret').update('a').digest('base64');
  const other = { algorithm: 'sha1', secret: 'secret', content: ['a'], encoding: 'base64', signature: base64 } as const;
  expect(isSigned(other)).toBe(true);
});

it.each([
  ['no signature', { signature: undefined }],
  ['an empty one', { signature: '' }],
  ['the prefix alone', { signature: 'v0=' }],
  ['one without its prefix', { signature: hex }],
  ['one in capitals', { signature: `v0=${hex.toUpperCase()}` }],
  ['a part of one', { signature: `v0=${hex.slice(0, -1)}` }],
  ['more than one', { signature: `v0=${hex},v0=${hex}` }],
  ['another secret', { secret: 'Secret' }],
  ['no secret', { secret: '', signature: `v0=${createHmac('sha256', '').update('a').digest('hex')}`, content: ['a'] }],
  ['another content', { content: ['v0:2:', Uint8Array.of(0xff, 0)] }],
])('refuses %s', (_, changes) => {
  expect(isSigned({ ...signed, signature: `v0=${hex}`, ...changes })).toBe(false);
});

it('compares texts of any length', () => {
  expect([isSameText('', ''), isSameText('ä', 'ä'), isSameText('a', 'b'), isSameText('a', 'aa')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it.each([
  ['1000', true],
  [1000, true],
  ['1300', true],
  ['700', true],
  ['1301', false],
  ['699', false],
  [undefined, false],
  ['', false],
  ['now', false],
  ['1e3', false],
  ['-1000', false],
  ['9'.repeat(400), false],
])('takes %s for recent: %s', (seconds, expected) => {
  expect(isRecent(seconds, 1_000_000, 300)).toBe(expected);
});
