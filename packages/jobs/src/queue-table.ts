import pg from 'pg';

/** Maximum number of rows that one statement moves from the tables of the previous version. */
const BATCH = 1_000;

/**
 * Creates the table of a queue if it does not exist. A job is ready (due and not leased), waiting (due later, or leased until `due_at`) or dead. Only
 * ready jobs are in the index `jobs_ready`, so that the cost of a claim does not grow with waiting and dead jobs. Payloads are of type text, because
 * JSON allows characters that PostgreSQL's json type does not. `target` is a hash, because PostgreSQL limits the size of an index entry and a URL may
 * exceed it.
 */
export async function createQueue(pool: pg.Pool, schema: string): Promise<void> {
  const s = pg.escapeIdentifier(schema);
  const { rows } = await pool.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [`${s}.jobs`]);
  if (rows[0]?.exists) return;
  // The lock serializes processes that start at the same time on a new database.
  await pool.query(`SELECT pg_advisory_xact_lock(hashtextextended('create queue', 0));
    CREATE SCHEMA IF NOT EXISTS ${s};
    CREATE TABLE IF NOT EXISTS ${s}.jobs (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      task text NOT NULL,
      key text NOT NULL,
      org_id text COLLATE "C" NOT NULL,
      target text COLLATE "C" NOT NULL,
      payload text,
      due_at timestamptz NOT NULL,
      is_ready boolean NOT NULL,
      is_dead boolean NOT NULL DEFAULT false,
      lease uuid,
      attempts int NOT NULL DEFAULT 0,
      error text,
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (task, key)
    ) WITH (autovacuum_vacuum_scale_factor = 0.02);
    CREATE INDEX IF NOT EXISTS jobs_ready ON ${s}.jobs (task, org_id, target, due_at) WHERE is_ready;
    CREATE INDEX IF NOT EXISTS jobs_waiting ON ${s}.jobs (due_at) WHERE NOT is_ready AND NOT is_dead;
    CREATE INDEX IF NOT EXISTS jobs_dead ON ${s}.jobs (updated_at) WHERE is_dead;`);
}

/**
 * Moves the jobs that the previous version stored in the tables of graphile-worker, including jobs that a process of that version adds during an
 * upgrade. A job that a process of that version is running is not moved while that process has its advisory lock.
 */
export async function adoptJobs(pool: pg.Pool, { old, schema }: { old: string; schema: string }): Promise<void> {
  const [from, to] = [pg.escapeIdentifier(old), pg.escapeIdentifier(schema)];
  const table = `${from}._private_jobs`;
  const { rows } = await pool.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [table]);
  if (!rows[0]?.exists) return;
  while ((await pool.query<{ moved: number }>(adopt(from, to))).rows[0]?.moved === BATCH);
}

/**
 * Returns the statement that moves jobs out of the tables of graphile-worker. A row without a key was replaced and never runs. The flags contain the
 * organization, and the receiver after `to `. If two jobs have the same key, the newer job remains. A dead job never replaces a waiting job.
 */
function adopt(from: string, to: string): string {
  return `
    WITH found AS MATERIALIZED (
      SELECT id FROM ${from}._private_jobs
      WHERE key IS NOT NULL AND (locked_at IS NULL OR pg_try_advisory_xact_lock(hashtextextended('jobs ' || locked_by, 0)))
      ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
    moved AS (
      DELETE FROM ${from}._private_jobs AS job USING ${from}._private_tasks AS task
      WHERE job.id IN (SELECT id FROM found) AND task.id = job.task_id
      RETURNING identifier, key, payload, run_at, attempts, last_error, job.updated_at, flags,
        attempts >= max_attempts AND locked_at IS NULL AS is_dead),
    added AS (
      INSERT INTO ${to}.jobs AS job (task, key, org_id, target, payload, due_at, is_ready, is_dead, attempts, error, updated_at)
      SELECT identifier, substr(key, length(identifier) + 2),
        coalesce((SELECT min(flag) FROM jsonb_object_keys(flags) AS flag WHERE flag NOT LIKE 'to %'), '*'),
        coalesce((SELECT encode(sha256(convert_to(min(substr(flag, 4)), 'UTF8')), 'hex')
          FROM jsonb_object_keys(flags) AS flag WHERE flag LIKE 'to %'), '*'),
        (payload -> 'data')::text, run_at, false, is_dead, attempts, last_error, updated_at
      FROM moved ORDER BY identifier, key
      ON CONFLICT (task, key) DO UPDATE SET org_id = excluded.org_id, target = excluded.target, payload = excluded.payload,
        due_at = excluded.due_at, is_ready = false, is_dead = false, lease = NULL, attempts = excluded.attempts,
        error = excluded.error, updated_at = excluded.updated_at
      WHERE NOT excluded.is_dead AND (job.is_dead OR excluded.updated_at > job.updated_at))
    SELECT count(*)::int AS moved FROM moved`;
}
