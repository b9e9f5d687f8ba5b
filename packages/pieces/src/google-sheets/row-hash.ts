import { createHash } from 'node:crypto';
import { type JsonValue } from '@drawbridge/piece-kit';

/** Returns a short text that two rows share only if their cells are equal. */
export const hashOf = (row: readonly JsonValue[] = [], length = 22): string =>
  createHash('sha256').update(JSON.stringify(row)).digest('base64url').slice(0, length);

export const isEmpty = (row: readonly JsonValue[]): boolean => row.every((cell) => cell === '');
