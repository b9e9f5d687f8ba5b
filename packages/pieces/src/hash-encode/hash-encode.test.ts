import { InputError, runAction, type JsonObject, type Send } from '@drawbridge/piece-kit';
import { hashEncode } from './index.js';

const send: Send = async () => {
  throw new Error('This piece has no business on the network');
};
const run = (name: string, input: JsonObject) => runAction(hashEncode, name, { input, send });

// RFC 1321 A.5, FIPS 180-4 examples, RFC 2202 and RFC 4231 test case 2.
it.each([
  ['hash', { text: 'abc', algorithm: 'md5' }, '900150983cd24fb0d6963f7d28e17f72'],
  ['hash', { text: 'abc', algorithm: 'sha1' }, 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ['hash', { text: 'abc', algorithm: 'sha256', encoding: 'base64' }, 'ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='],
  [
    'hash',
    { text: '', algorithm: 'sha512', encoding: 'base64url' },
    'z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg_SpIdNs6c5H0NE8XYXysP-DGNKHfuwvY7kxvUdBeoGlODJ6-SfaPg',
  ],
  [
    'hmac',
    { text: 'what do ya want for nothing?', secret: 'Jefe', algorithm: 'md5' },
    '750c783e6ab0b503eaa86e310a5db738',
  ],
  [
    'hmac',
    { text: 'what do ya want for nothing?', secret: 'Jefe', algorithm: 'sha256' },
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
])('computes %s of %j', async (name, input, result) => {
  expect(await run(name, input)).toEqual({ result });
});

it.each([
  ['base64', 'ä?>~', 'w6Q/Pn4='],
  ['base64url', 'ä?>~', 'w6Q_Pn4'],
  ['hex', 'ä', 'c3a4'],
  ['url', 'a b&ä', 'a%20b%26%C3%A4'],
  ['base64', '', ''],
])('encodes and decodes %s', async (encoding, text, encoded) => {
  expect(await run('encode', { text, encoding })).toEqual({ result: encoded });
  expect(await run('decode', { text: encoded, encoding })).toEqual({ result: text });
});

it('encodes half a surrogate pair as the replacement character', async () => {
  expect(await run('encode', { text: '\ud800', encoding: 'url' })).toEqual({ result: '%EF%BF%BD' });
});

it.each([
  ['base64', 'a*b='],
  ['base64', 'abcde'],
  ['base64', '/w=='],
  ['base64url', 'a+b'],
  ['hex', 'abc'],
  ['hex', 'zz'],
  ['url', '%zz'],
])('refuses to decode %s %j', async (encoding, text) => {
  await expect(run('decode', { text, encoding })).rejects.toThrow(
    new InputError('text', `is not UTF-8 text encoded as ${encoding}`),
  );
});
