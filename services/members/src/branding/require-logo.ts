import { invalid } from '@drawbridge/contracts';
import { imageSize } from './image-size.js';

const MAX_BYTES = 32 * 1024;
const MAX_SIDE = 1_024;
const START = /^data:image\/(\w+);base64,/;

/** Validates a logo for pages: a data URI whose bytes match its image type, small enough for every browser to decode. Throws VALIDATION_ERROR. */
export function requireLogo(uri: string): void {
  const problem = problemOf(uri);
  if (problem) throw invalid({ logo: problem });
}

function problemOf(uri: string): string | undefined {
  const [start = '', type] = START.exec(uri) ?? [];
  const written = uri.slice(start.length);
  const bytes = Buffer.from(written, 'base64');
  if (bytes.toString('base64') !== written) return 'must be base64, with its padding';
  if (bytes.length > MAX_BYTES) return `must be at most ${MAX_BYTES} bytes`;
  const size = imageSize(bytes);
  if (!size || size.type !== type) return 'must be the PNG, JPEG or WebP that it says it is';
  const sides = [size.width, size.height];
  if (sides.some((side) => side < 1 || side > MAX_SIDE)) return `must be at most ${MAX_SIDE} by ${MAX_SIDE} pixels`;
  return undefined;
}
