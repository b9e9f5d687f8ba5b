import { createHash } from 'node:crypto';
import { type JsonValue } from '@drawbridge/piece-kit';

/** Returns a digest of a row's cells with this number of characters. Each character represents six bits. */
export const digestOf = (row: readonly JsonValue[], length: number): string =>
  createHash('sha256').update(JSON.stringify(row)).digest('base64url').slice(0, length);
