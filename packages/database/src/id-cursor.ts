import { invalid, isId } from '@drawbridge/contracts';

/** The nextCursor of a list in the order of its ids: what comes after this one. */
export function toIdCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** Throws VALIDATION_ERROR for what is none. */
export function fromIdCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!isId(id) || id !== id.toLowerCase()) throw invalid({ cursor: 'must be a nextCursor of this list' });
  return id;
}
