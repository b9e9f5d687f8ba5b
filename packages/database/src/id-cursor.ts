import { invalid, isId } from '@drawbridge/contracts';

/** The nextCursor of a list in the order of its ids: what comes after this one. */
export function toIdCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** A page of rows in the order of their ids. `rows`: one more than `limit` was asked for, to know whether more follow. */
export function toIdPage<Row extends { id: string }>(
  rows: readonly Row[],
  limit: number,
): { page: Row[]; nextCursor: string | undefined } {
  const page = rows.slice(0, limit);
  return { page, nextCursor: rows.length > limit ? toIdCursor(page.at(-1)!.id) : undefined };
}

/** Throws VALIDATION_ERROR for what is none. */
export function fromIdCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!isId(id) || id !== id.toLowerCase()) throw invalid({ cursor: 'must be a nextCursor of this list' });
  return id;
}
