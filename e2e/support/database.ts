import pg from 'pg';

/** Must be long enough for a test that polls, and short enough not to block dropping the database. */
const IDLE_MS = 1_000;

const pools = new Map<string, pg.Pool>();

/**
 * Queries the database directly, for state that the public API does not return. Queries do not share a database session. PostgreSQL plans a query with
 * a `name` once for each session, which matters for large queries.
 */
export async function rowsOf<Row extends object>(
  databaseUrl: string,
  sql: string,
  values: unknown[] = [],
  name?: string,
): Promise<Row[]> {
  const pool = pools.get(databaseUrl) ?? openPool(databaseUrl);
  return (await pool.query<Row>({ name, text: sql, values })).rows;
}

/** Opens a pool, because connecting costs more than most queries. The pool drops connections to a stopped server. */
function openPool(databaseUrl: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 4,
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
  });
  pool.on('error', () => undefined);
  pools.set(databaseUrl, pool);
  return pool;
}

/** Opens a connection. The test run continues if its server stops. */
export async function openClient(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
