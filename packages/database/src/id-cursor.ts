import { invalid } from '@drawbridge/contracts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The nextCursor of a list in the order of its ids: what comes after this one. */
export function toIdCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** Throws VALIDATION_ERROR for what is none. */
export function fromIdCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!UUID.test(id)) throw invalid({ cursor: 'must be a nextCursor of this list' });
  return id;
}
