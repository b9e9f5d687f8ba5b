import { invalid, isId } from '@drawbridge/contracts';
import { type Pool } from 'pg';

/** Rows that one page reads when an index covers only a part of its filters. */
export const MAX_SCANNED = 1_000;

/** SQL with one `?`, and the value for it. */
export type Condition = readonly [sql: string, value: unknown];

interface Scan {
  table: string;
  columns: string;
  /** Conditions that one index covers together, ordered by id. */
  indexed: readonly Condition[];
  /** Conditions that are checked on each row of the index. */
  filters: readonly Condition[];
  /** The page begins after this id. */
  after?: string;
  limit: number;
}

/**
 * Returns a page of rows, newest first by their ids. With filters that the index does not cover it reads at most MAX_SCANNED rows: the page can be
 * short, even empty, while `nextCursor` says that more follow.
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

/** Counts the rows that pass the filters, among the newest MAX_SCANNED of the index. */
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
  // PostgreSQL evaluates a subquery with LIMIT before the outer filters, so the filters cannot make it read more rows.
  const text = filters
    ? `SELECT ${columns} FROM (SELECT * FROM ${table} ${where} LIMIT ${MAX_SCANNED}) AS scanned
       WHERE ${all(filters)} ${limit === undefined ? '' : 'ORDER BY id DESC'} ${page}`
    : `SELECT ${columns} FROM ${table} ${where} ${page}`;
  return (await pool.query<Row>(text, values)).rows;
}

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
