import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

/** The advisory lock that `prisma migrate deploy` uses. */
const ADVISORY_LOCK = 72707369;

/**
 * The tables of applied migrations: one for migrations of the service itself, which `prisma migrate` also uses, and one for migrations of packages.
 */
type Books = '_prisma_migrations' | '_shipped_migrations';

const tableOf = (books: Books) => `CREATE TABLE IF NOT EXISTS ${books} (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
  logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0)`;

/**
 * Limits how long a migration waits for a lock, because a waiting migration blocks the queries of the running version. `tries` is the number of
 * attempts.
 */
const PATIENCE = { lockMs: 5_000, tries: 6, pauseMs: 2_000 };

/** A migration of a package. It is applied in every service that uses the package. */
export interface PackageMigration {
  name: string;
  sql: string;
}

interface Place {
  url: string;
  schema: string;
  migrations: string;
  /** Applied after the migrations of the service. */
  shipped?: readonly PackageMigration[];
  patience?: typeof PATIENCE;
}

/**
 * Applies pending migrations, and records them exactly as `prisma migrate deploy` does. Throws an error that names the failed migration. After such a
 * failure, each start fails until the migration is resolved with `prisma migrate resolve`. A migration that could not get its locks is retried a few
 * times, and again at the next start. An interrupted migration is also repeated, because it changed nothing.
 */
export async function migrate({ url, schema, migrations, shipped = [], patience = PATIENCE }: Place): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` });
  client.on('error', ignore); // A query that a lost connection interrupts also fails.
  await client.connect().catch((cause: unknown) => {
    throw unreachable(url, cause);
  });
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]); // without a time limit, because another process may be migrating
    await client.query(`SET lock_timeout = ${patience.lockMs}`);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(schema)}`);
    await applyAll(client, await inFolder(migrations), { schema, books: '_prisma_migrations', patience });
    if (shipped.length > 0) await applyAll(client, shipped, { schema, books: '_shipped_migrations', patience });
  } finally {
    await client.end(); // releases the lock
  }
}

function ignore(): void {}

async function inFolder(folder: string): Promise<PackageMigration[]> {
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const read = names.map(async ({ name }) => ({
    name,
    sql: await readFile(join(folder, name, 'migration.sql'), 'utf8'),
  }));
  return (await Promise.all(read)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Under {
  schema: string;
  books: Books;
  patience: typeof PATIENCE;
}

async function applyAll(client: pg.Client, migrations: readonly PackageMigration[], under: Under): Promise<void> {
  await client.query(tableOf(under.books));
  const applied = await appliedNames(client, under);
  for (const migration of migrations) if (!applied.has(migration.name)) await apply(client, migration, under);
}

/**
 * The condition for an interrupted migration: its process ended before the migration did. A failed migration has `logs`, and only this process has
 * the advisory lock.
 */
const INTERRUPTED = 'finished_at IS NULL AND rolled_back_at IS NULL AND logs IS NULL';

async function appliedNames(client: pg.Client, { schema, books }: Under): Promise<Set<string>> {
  await client.query(`UPDATE ${books} SET rolled_back_at = now(), logs = 'interrupted' WHERE ${INTERRUPTED}`);
  const { rows } = await client.query<{ migration_name: string; finished_at: Date | null }>(
    `SELECT migration_name, finished_at FROM ${books} WHERE rolled_back_at IS NULL`,
  );
  const failed = rows.find((row) => row.finished_at === null);
  if (failed) throw new Error(`Migration ${failed.migration_name} of ${schema} failed earlier; resolve it first`);
  return new Set(rows.map((row) => row.migration_name));
}

async function apply(
  client: pg.Client,
  { name, sql }: PackageMigration,
  { schema, books, patience }: Under,
): Promise<void> {
  const id = randomUUID();
  const checksum = createHash('sha256').update(sql).digest('hex');
  await client.query(`INSERT INTO ${books} (id, checksum, migration_name) VALUES ($1, $2, $3)`, [id, checksum, name]);
  const finish = {
    text: `UPDATE ${books} SET finished_at = now(), applied_steps_count = 1 WHERE id = $1`,
    values: [id],
  };
  try {
    await runPatiently(client, [sql, finish], patience);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // Nothing was applied. The migration is recorded as rolled back, so that it runs again at the next start.
    const rolledBack = wasKeptOut(error) ? ', rolled_back_at = now()' : '';
    // If the connection is lost, nothing is recorded, so the next start finds an interrupted migration.
    await client.query(`UPDATE ${books} SET logs = $2${rolledBack} WHERE id = $1`, [id, why]).catch(ignore);
    const todo = rolledBack && '. Other sessions hold its tables: end long transactions, then start again';
    throw new Error(`Migration ${name} of ${schema} failed: ${why}${todo}`, { cause: error });
  }
}

type Query = string | pg.QueryConfig;

/** Runs a migration and records it in one transaction, so that a failed or interrupted attempt changes nothing. */
async function runPatiently(client: pg.Client, queries: Query[], { tries, pauseMs }: typeof PATIENCE): Promise<void> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      await client.query('BEGIN');
      for (const query of queries) await client.query(query);
      return void (await client.query('COMMIT'));
    } catch (error) {
      await client.query('ROLLBACK').catch(ignore);
      if (left === 0 || !wasKeptOut(error)) throw error;
      await setTimeout(pauseMs);
    }
  }
}

/** lock_not_available, deadlock_detected and serialization_failure: conflicts with other sessions. */
const KEPT_OUT = new Set(['55P03', '40P01', '40001']);

function wasKeptOut(error: unknown): boolean {
  return error instanceof pg.DatabaseError && KEPT_OUT.has(error.code ?? '');
}

/** Returns an error for the operator with the address of the database, without the password, and the cause. */
export function unreachable(url: string, cause: unknown): Error {
  const { message, code } = cause as { message?: string; code?: string };
  const place = URL.canParse(url) ? new URL(url) : undefined;
  const where = place ? `${place.hostname}:${place.port || '5432'}${place.pathname}` : 'the database';
  return new Error(`DATABASE_URL: ${where} cannot be opened: ${message || code}`, { cause });
}
