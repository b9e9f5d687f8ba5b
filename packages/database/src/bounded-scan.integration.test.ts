import { newId } from '@drawbridge/contracts';
import { temporaryDatabase } from '@drawbridge/testkit';
import pg from 'pg';
import { type Condition, countScanned, fromIdCursor, MAX_SCANNED, scanPage } from './bounded-scan.js';

const ROWS = 3 * MAX_SCANNED;
const LIMIT = 100;

let database: Awaited<ReturnType<typeof temporaryDatabase>>;
let pool: pg.Pool;
const ids = Array.from({ length: ROWS }, newId).sort();

beforeAll(async () => {
  database = await temporaryDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  await pool.query('CREATE TABLE things (id uuid PRIMARY KEY, org_id text, kind text, n int)');
  await pool.query('CREATE INDEX ON things (org_id, id DESC)');
  const rows = `SELECT id, 'o', CASE WHEN n % 1500 = 0 THEN 'rare' ELSE 'many' END, n
    FROM unnest($1::uuid[]) WITH ORDINALITY AS given (id, n)`;
  await pool.query(`INSERT INTO things ${rows}`, [ids]);
  await pool.query('ANALYZE things');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const scanOf = (filters: Condition[]) => ({
  table: 'things',
  columns: 'id',
  indexed: [['org_id = ?', 'o'] as const],
  filters,
});

/** Returns the lengths and the ids of all pages. */
async function allPages(filters: Condition[]): Promise<{ lengths: number[]; found: string[] }> {
  const [lengths, found]: [number[], string[]] = [[], []];
  let after: string | undefined;
  do {
    const { page, nextCursor } = await scanPage<{ id: string }>(pool, { ...scanOf(filters), after, limit: LIMIT });
    lengths.push(page.length);
    found.push(...page.map(({ id }) => id));
    after = nextCursor && fromIdCursor(nextCursor);
  } while (after !== undefined);
  return { lengths, found };
}

it('returns every row once, newest first, without filters', async () => {
  const { lengths, found } = await allPages([]);
  expect(found).toEqual([...ids].reverse());
  expect(new Set(lengths)).toEqual(new Set([LIMIT]));
});

it('returns every match once, in full pages if many match', async () => {
  const { lengths, found } = await allPages([['n % 2 = ?', 0]]);
  expect(found).toEqual(ids.filter((_, index) => (index + 1) % 2 === 0).reverse());
  expect(Math.max(...lengths)).toBe(LIMIT);
});

it('returns matches in short and empty pages if few match, and ends', async () => {
  const { lengths, found } = await allPages([['kind = ?', 'rare']]);
  expect(found).toEqual([ids[2_999], ids[1_499]]);
  expect(lengths.length).toBeLessThanOrEqual(ROWS / MAX_SCANNED + 1);
});

it('counts only matches among the newest rows', async () => {
  expect(await countScanned(pool, scanOf([]))).toBe(MAX_SCANNED);
  expect(await countScanned(pool, scanOf([['kind = ?', 'rare']]))).toBe(1);
});

it('reads a bounded number of rows with any filters', async () => {
  const text: string[] = [];
  const recording = { query: (sql: string, values: unknown[]) => (text.push(sql), pool.query(sql, values)) };
  const filters: Condition[] = [['kind = ?', 'none']];
  await scanPage(recording as unknown as pg.Pool, { ...scanOf(filters), limit: LIMIT });
  const read = await Promise.all(text.map((sql) => rowsRead(sql, sql.includes('scanned') ? ['o', 'none'] : ['o'])));
  expect(text).toHaveLength(2);
  for (const rows of read) expect(rows).toBeLessThanOrEqual(MAX_SCANNED);
});

/** Returns the number of rows that the table scans read, including filtered rows. */
async function rowsRead(sql: string, values: unknown[]): Promise<number> {
  const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
  const ofNode = (node: any): number =>
    (node['Relation Name'] ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0) +
    (node.Plans ?? []).reduce((sum: number, inner: any) => sum + ofNode(inner), 0);
  return ofNode(rows[0]['QUERY PLAN'][0].Plan);
}
