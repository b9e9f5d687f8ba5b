import { requireLogo } from './require-logo.js';
import { jpeg, png, webp } from '../testing/images.js';

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
