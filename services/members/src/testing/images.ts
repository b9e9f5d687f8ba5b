/** Returns the first bytes of a PNG of the specified size. */
export function png(width: number, height: number): Buffer {
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), be32(width), be32(height)]);
}

/** Returns the first bytes of a JPEG of the specified size: a table, then the frame header with the size. */
export function jpeg(width: number, height: number): Buffer {
  const start = Buffer.from('\xff\xd8\xff\xe0\0\x04ab\xff\xc4\0\x03c\xff\xc2\0\x11\x08', 'latin1');
  return Buffer.concat([start, be32(height).subarray(2), be32(width).subarray(2)]);
}

/** Returns the first bytes of a WebP of the specified size: lossy, lossless or extended. */
export function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const start = Buffer.from(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`, 'latin1');
  return Buffer.concat([start, FRAMES[kind](width, height)]);
}

const FRAMES = {
  'VP8 ': (width: number, height: number) =>
    Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, width & 255, width >> 8, height & 255, height >> 8]),
  VP8L: (width: number, height: number) => {
    const bits = Buffer.alloc(5, 0x2f);
    bits.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
    return bits;
  },
  VP8X: (width: number, height: number) => Buffer.concat([Buffer.alloc(4), le24(width - 1), le24(height - 1)]),
};

function be32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function le24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
