import pg from 'pg';

/** Long enough for a test that looks again and again, too short to keep a database that is to be dropped. */
const IDLE_MS = 1_000;

const pools = new Map<string, pg.Pool>();

/** A look behind the door: for what the public interface never shows. Nothing of a session holds for the next question. */
export async function rowsOf<Row extends object>(
  databaseUrl: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const pool = pools.get(databaseUrl) ?? openPool(databaseUrl);
  return (await pool.query<Row>(sql, values)).rows;
}

/** To connect costs more than most questions. What loses its server leaves the pool. */
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

/** A connection that may lose its server without ending the test run. */
export async function openClient(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
