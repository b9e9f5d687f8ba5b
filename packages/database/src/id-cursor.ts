import { invalid, isId } from '@drawbridge/contracts';

/** Returns the nextCursor of a list ordered by id: the next page begins after this id. */
export function toIdCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** Returns a page of rows in the order of their ids. Pass one row more than `limit`, so that it can tell whether more follow. */
export function toIdPage<Row extends { id: string }>(
  rows: readonly Row[],
  limit: number,
): { page: Row[]; nextCursor: string | undefined } {
  const page = rows.slice(0, limit);
  return { page, nextCursor: rows.length > limit ? toIdCursor(page.at(-1)!.id) : undefined };
}

/** Throws VALIDATION_ERROR if the cursor is invalid. */
export function fromIdCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!isId(id) || id !== id.toLowerCase()) throw invalid({ cursor: 'must be a nextCursor of this list' });
  return id;
}
