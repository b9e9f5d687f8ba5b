import { imageSize } from './image-size.js';
import { jpeg, png, webp } from '../testing/images.js';

it.each([
  ['a PNG', png(3, 2), { type: 'png', width: 3, height: 2 }],
  ['a JPEG behind its tables', jpeg(640, 480), { type: 'jpeg', width: 640, height: 480 }],
  ['a lossy WebP', webp('VP8 ', 7, 9), { type: 'webp', width: 7, height: 9 }],
  ['a lossless WebP', webp('VP8L', 7, 9), { type: 'webp', width: 7, height: 9 }],
  ['a WebP with a canvas', webp('VP8X', 5_000, 9), { type: 'webp', width: 5_000, height: 9 }],
])('tells the size of %s', (_, bytes, size) => {
  expect(imageSize(bytes)).toEqual(size);
});

it.each([
  ['nothing', ''],
  ['a GIF', 'GIF89a'],
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a WebP of another kind', 'RIFF\0\0\0\0WEBPANIM\0\0\0\0'],
  ['a JPEG without a frame', '\xff\xd8\xff\xe0\0\x02\xff\xda'],
  ['a JPEG that turns to something else', '\xff\xd8\xff\xe0\0\x02hello'],
  ['a JPEG whose segments have no length', '\xff\xd8\xff\xe0\0\0\xff\xe0\0\0'],
])('is undefined for %s', (_, text) => {
  expect(imageSize(Buffer.from(text, 'latin1'))).toBeUndefined();
});

it.each([png(3, 2), jpeg(640, 480), webp('VP8 ', 7, 9), webp('VP8L', 7, 9), webp('VP8X', 7, 9)])(
  'is undefined for what breaks off, wherever',
  (bytes) => {
    const short = Array.from({ length: 20 }, (_, length) => imageSize(bytes.subarray(0, length)));
    expect(short.filter(Boolean)).toEqual([]);
  },
);
