import pg from 'pg';
import { migrate } from './migrate.js';

export interface Database<Client> {
  /** Prisma, refusing any query on a tenant's table that does not name the organization. */
  db: Client;
  /** Prisma without that guard: for the few questions that come before an organization is known. */
  unscoped: Client;
  /** The same connections for plain SQL, with the service's schema as search path. */
  pool: pg.Pool;
  /** Fails while PostgreSQL is away. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions<Client> {
  url: string;
  /** The service's own PostgreSQL schema, named after it. Made if it is not there. */
  schema: string;
  /** Folder of `<stamp>_<name>/migration.sql`, applied in name order. */
  migrations: string;
  /** Models that hold nothing of a tenant. Every other model is guarded. */
  shared: readonly string[];
  connect(pool: pg.Pool): { db: Client; unscoped: Client };
}

const POOL_SIZE = 10;

/** Opens a service's database and brings its schema up to date; racing starters apply each migration once. */
export async function openDatabase<Client extends { $disconnect(): Promise<void> }>(
  options: DatabaseOptions<Client>,
): Promise<Database<Client>> {
  await migrate(options);
  const pool = new pg.Pool({
    connectionString: options.url,
    options: `-c search_path=${options.schema}`,
    max: POOL_SIZE,
    idleTimeoutMillis: 10_000,
    connectionTimeoutMillis: 5_000,
  });
  pool.on('error', () => undefined); // An idle connection broke: the next query opens another one, or says UNAVAILABLE.
  const { db, unscoped } = options.connect(pool);
  return {
    db,
    unscoped,
    pool,
    ready: async () => void (await pool.query('SELECT 1')),
    close: async () => {
      await unscoped.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}
