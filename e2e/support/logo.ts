import { crc32, deflateSync } from 'node:zlib';

/** Returns a valid PNG as a data URI: a ring and a dot on a transparent background. */
export function logo(side = 96): string {
  const rows = Array.from({ length: side }, (_, y) => [
    0,
    ...Array.from({ length: side }, (_, x) => pixel(x, y, side)).flat(),
  ]);
  const header = Buffer.from([...be32(side), ...be32(side), 8, 6, 0, 0, 0]);
  const body = deflateSync(Buffer.from(rows.flat()));
  const chunks = [chunk('IHDR', header), chunk('IDAT', body), chunk('IEND', Buffer.alloc(0))];
  return toUri(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]));
}

/** Returns the logo with `bytes` bytes. Bytes after the end of a PNG are ignored. */
export function logoOf(bytes: number): string {
  const drawn = Buffer.from(logo().split(',')[1]!, 'base64');
  return toUri(Buffer.concat([drawn, Buffer.alloc(bytes - drawn.length)]));
}

const toUri = (bytes: Buffer): string => `data:image/png;base64,${bytes.toString('base64')}`;

function pixel(x: number, y: number, side: number): number[] {
  const distance = Math.hypot(x - side / 2 + 0.5, y - side / 2 + 0.5) / (side / 2);
  if (distance > 0.66 && distance < 0.98) return [15, 118, 110, 255];
  return distance < 0.34 ? [234, 88, 12, 255] : [0, 0, 0, 0];
}

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  return Buffer.concat([Buffer.from(be32(body.length)), named, Buffer.from(be32(crc32(named)))]);
}

function be32(value: number): number[] {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return [...bytes];
}
