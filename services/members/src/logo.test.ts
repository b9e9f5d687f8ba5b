import { imageSize, requireLogo } from './logo.js';
import { jpeg, png, webp } from './testing/images.js';

const uri = (type: string, bytes: Buffer): string => `data:image/${type};base64,${bytes.toString('base64')}`;
const padded = (length: number): Buffer => Buffer.concat([png(64, 64), Buffer.alloc(length - png(64, 64).length)]);

it.each([
  ['a PNG', uri('png', png(64, 64))],
  ['a JPEG', uri('jpeg', jpeg(64, 64))],
  ['a WebP', uri('webp', webp('VP8L', 64, 64))],
  ['as many pixels as may be', uri('png', png(1_024, 1_024))],
  ['as many bytes as may be', uri('png', padded(32_768))],
])('takes %s', (_, logo) => {
  expect(() => requireLogo(logo)).not.toThrow();
});

it.each([
  ['a PNG that says it is a JPEG', uri('jpeg', png(64, 64)), /that it says it is/],
  ['an SVG that says it is a PNG', uri('png', Buffer.from('<svg/>')), /that it says it is/],
  ['nothing', 'data:image/png;base64,', /that it says it is/],
  ['one pixel too wide', uri('png', png(1_025, 1)), /1024 by 1024/],
  ['one pixel too high', uri('png', png(1, 1_025)), /1024 by 1024/],
  ['no pixels', uri('png', png(0, 1)), /1024 by 1024/],
  ['one byte too many', uri('png', padded(32_769)), /32768 bytes/],
  ['base64 without its padding', uri('png', png(64, 64)).slice(0, -1), /base64/],
  ['base64 with bits to spare', `data:image/png;base64,iVB=`, /base64/],
])('refuses %s', (_, logo, message) => {
  expect(() => requireLogo(logo)).toThrow(
    expect.objectContaining({
      code: 'VALIDATION_ERROR',
      details: { fields: { logo: { message: expect.stringMatching(message) } } },
    }),
  );
});

it.each([
  ['a PNG', png(3, 2), { type: 'png', width: 3, height: 2 }],
  ['a JPEG behind its tables', jpeg(640, 480), { type: 'jpeg', width: 640, height: 480 }],
  ['a lossy WebP', webp('VP8 ', 7, 9), { type: 'webp', width: 7, height: 9 }],
  ['a lossless WebP', webp('VP8L', 7, 9), { type: 'webp', width: 7, height: 9 }],
  ['a WebP with a canvas', webp('VP8X', 5_000, 9), { type: 'webp', width: 5_000, height: 9 }],
])('reads the size of %s', (_, bytes, size) => {
  expect(imageSize(bytes)).toEqual(size);
});

it.each([
  ['nothing', ''],
  ['a GIF', 'GIF89a'],
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a WebP of another kind', 'RIFF\0\0\0\0WEBPANIM\0\0\0\0'],
  ['a JPEG without a frame', '\xff\xd8\xff\xe0\0\x02\xff\xda'],
  ['a JPEG that turns to something else', '\xff\xd8\xff\xe0\0\x02hello'],
  ['a JPEG with segments without a length', '\xff\xd8\xff\xe0\0\0\xff\xe0\0\0'],
])('is undefined for %s', (_, text) => {
  expect(imageSize(Buffer.from(text, 'latin1'))).toBeUndefined();
});

it.each([png(3, 2), jpeg(640, 480), webp('VP8 ', 7, 9), webp('VP8L', 7, 9), webp('VP8X', 7, 9)])(
  'is undefined for a truncated file',
  (bytes) => {
    const short = Array.from({ length: 20 }, (_, length) => imageSize(bytes.subarray(0, length)));
    expect(short.filter(Boolean)).toEqual([]);
  },
);
