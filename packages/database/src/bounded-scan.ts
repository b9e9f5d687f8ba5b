import { invalid, isId } from '@drawbridge/contracts';
import { type Pool } from 'pg';

/** Maximum number of rows that one page reads if an index covers only some of its filters. */
export const MAX_SCANNED = 1_000;

/** SQL that contains one `?`, and the value for it. */
export type Condition = readonly [sql: string, value: unknown];

interface Scan {
  table: string;
  columns: string;
  /** Conditions that one index covers together. The index is ordered by id. */
  indexed: readonly Condition[];
  /** Conditions that are checked on each row that the index returns. */
  filters: readonly Condition[];
  /** The page begins after this id. */
  after?: string;
  limit: number;
}

/**
 * Returns a page of rows, newest first by their ids. If the index does not cover a filter, it reads at most MAX_SCANNED rows. The page can then be
 * short or empty although `nextCursor` is present and more rows match.
 */
export async function scanPage<Row extends { id: string }>(
  pool: Pool,
  { table, columns, indexed, filters, after, limit }: Scan,
): Promise<{ page: Row[]; nextCursor: string | undefined }> {
  const range: Condition[] = [...indexed, ...(after === undefined ? [] : [['id < ?::uuid', after] as const])];
  const newest = { table, columns, conditions: range, limit: limit + 1 };
  if (filters.length === 0) return toIdPage(await select<Row>(pool, newest), limit);
  const [rows, [last]] = await Promise.all([
    select<Row>(pool, { ...newest, filters }),
    select<{ id: string }>(pool, { table, columns: 'id', conditions: range, limit: 1, offset: MAX_SCANNED - 1 }),
  ]);
  const { page, nextCursor } = toIdPage(rows, limit);
  return { page, nextCursor: nextCursor ?? (last && toIdCursor(last.id)) };
}

/** Counts the rows that match the filters, among the newest MAX_SCANNED rows of the index. */
export async function countScanned(
  pool: Pool,
  { table, indexed, filters }: Pick<Scan, 'table' | 'indexed' | 'filters'>,
): Promise<number> {
  const counted = { table, columns: 'count(*)::int AS count', conditions: indexed, filters };
  return (await select<{ count: number }>(pool, counted))[0]!.count;
}

interface Selection {
  table: string;
  columns: string;
  conditions: readonly Condition[];
  filters?: readonly Condition[];
  limit?: number;
  offset?: number;
}

async function select<Row extends object>(
  pool: Pool,
  { table, columns, conditions, filters, limit, offset }: Selection,
): Promise<Row[]> {
  const values: unknown[] = [];
  const all = (given: readonly Condition[]): string =>
    given.map(([sql, value]) => sql.replace('?', `$${values.push(value)}`)).join(' AND ') || 'true';
  const where = `WHERE ${all(conditions)} ORDER BY id DESC`;
  const page = `${limit === undefined ? '' : `LIMIT ${limit}`} ${offset === undefined ? '' : `OFFSET ${offset}`}`;
  // PostgreSQL evaluates a subquery with LIMIT before the outer filters, so the filters do not cause it to read more rows.
  const text = filters
    ? `SELECT ${columns} FROM (SELECT * FROM ${table} ${where} LIMIT ${MAX_SCANNED}) AS scanned
       WHERE ${all(filters)} ${limit === undefined ? '' : 'ORDER BY id DESC'} ${page}`
    : `SELECT ${columns} FROM ${table} ${where} ${page}`;
  return (await pool.query<Row>(text, values)).rows;
}

/** Returns the nextCursor of a list that is ordered by id. The next page begins after this id. */
export function toIdCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** Returns a page of rows in the order of their ids. Pass one row more than `limit`; the additional row shows that there is a next page. */
export function toIdPage<Row extends { id: string }>(
  rows: readonly Row[],
  limit: number,
): { page: Row[]; nextCursor: string | undefined } {
  const page = rows.slice(0, limit);
  return { page, nextCursor: rows.length > limit ? toIdCursor(page.at(-1)!.id) : undefined };
}

/** Returns the id in a cursor. Throws VALIDATION_ERROR if the cursor is invalid. */
export function fromIdCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!isId(id) || id !== id.toLowerCase()) throw invalid({ cursor: 'must be a nextCursor of this list' });
  return id;
}
