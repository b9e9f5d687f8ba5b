import { invalid } from '@drawbridge/contracts';

const MAX_BYTES = 32 * 1024;
const MAX_SIDE = 1_024;
const START = /^data:image\/(\w+);base64,/;

/**
 * Validates the logo of an organization. It must be a data URI with bytes that match the declared image type, and small enough for every browser to
 * decode. Throws VALIDATION_ERROR.
 */
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

interface ImageSize {
  type: 'png' | 'jpeg' | 'webp';
  width: number;
  height: number;
}

/** Returns the type and size from the first bytes of an image, or undefined for other formats and for bytes that end too early. */
export function imageSize(bytes: Buffer): ImageSize | undefined {
  try {
    return ofPng(bytes) ?? ofJpeg(bytes) ?? ofWebp(bytes);
  } catch (error) {
    if (isPastTheEnd(error)) return undefined;
    throw error;
  }
}

const isPastTheEnd = (error: unknown): boolean =>
  ['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS'].includes(String((error as NodeJS.ErrnoException).code));

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

function ofPng(bytes: Buffer): ImageSize | undefined {
  if (!bytes.subarray(0, PNG.length).equals(PNG)) return undefined;
  return { type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Returns the size of a JPEG, which contains tables before the frame header with the size (ITU T.81, B.2). */
function ofJpeg(bytes: Buffer): ImageSize | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  for (let marker = bytes.readUInt16BE(at); marker !== START_OF_SCAN; marker = bytes.readUInt16BE(at)) {
    if (isFrame(marker)) return { type: 'jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (marker < 0xff01) return undefined;
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return undefined;
}

const START_OF_SCAN = 0xffda;
/** JPEG markers that start a table, although they lie in the range of frame markers. */
const TABLES = [0xffc4, 0xffc8, 0xffcc];
const isFrame = (marker: number): boolean => marker >= 0xffc0 && marker <= 0xffcf && !TABLES.includes(marker);

/** Returns the size of a WebP (RFC 9649): lossy, lossless, or extended with a separate canvas size. */
function ofWebp(bytes: Buffer): ImageSize | undefined {
  const textAt = (at: number): string => bytes.toString('latin1', at, at + 4);
  if (textAt(0) !== 'RIFF' || textAt(8) !== 'WEBP') return undefined;
  switch (textAt(12)) {
    case 'VP8 ':
      return { type: 'webp', width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { type: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { type: 'webp', width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
