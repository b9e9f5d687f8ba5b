import pg from 'pg';
import { MAX_ATTEMPTS } from './retry-delay.js';

/** If a lease is not renewed for this long, its process has crashed, and the job is due again. */
export const LEASE_SECONDS = 25;

type PrismaTransaction = { $queryRawUnsafe<T>(sql: string, ...values: unknown[]): PromiseLike<T> };

/** Runs statements inside a Prisma or pg transaction, or on a pool, where each statement is a separate transaction. */
export type Queryable = PrismaTransaction | Pick<pg.Pool, 'query'>;

/** A statement that each pg connection plans only once. */
export interface Prepared {
  name: string;
  text: string;
}

export async function query<Row extends object>(
  on: Queryable,
  sql: string | Prepared,
  ...values: unknown[]
): Promise<Row[]> {
  const statement = typeof sql === 'string' ? { text: sql } : sql;
  if ('$queryRawUnsafe' in on) return on.$queryRawUnsafe<Row[]>(statement.text, ...values);
  return (await on.query<Row>({ ...statement, values })).rows;
}

/** Returns all SQL statements for the table of a queue. Every statement affects a limited number of rows, and finds them by an index. */
export function statements(schema: string) {
  const table = `${pg.escapeIdentifier(schema)}.jobs`;
  const channel = pg.escapeLiteral(schema);
  const texts = {
    add: adding(table, channel),
    ...claiming(table),
    ...leasing(table),
    ...ending(table),
    ...dead(table),
  };
  const named = Object.entries(texts).map(([name, text]) => [name, { name: `${name} ${schema}`, text }]);
  return Object.fromEntries(named) as Record<keyof typeof texts, Prepared>;
}

export type Statements = ReturnType<typeof statements>;

function adding(table: string, channel: string): string {
  // Rows are written in the order of their keys, so that two transactions that add the same jobs do not deadlock.
  return `
    WITH added AS (
      INSERT INTO ${table} AS job (task, key, org_id, target, payload, due_at, is_ready)
      SELECT $1::text, key, org_id, target, payload, coalesce(run_at, now()), coalesce(run_at <= now(), true)
      FROM json_to_recordset($2::text::json)
        AS wanted (key text, org_id text, target text, payload text, run_at timestamptz) ORDER BY key
      ON CONFLICT (task, key) DO UPDATE SET org_id = excluded.org_id, target = excluded.target, payload = excluded.payload,
        due_at = excluded.due_at, is_ready = excluded.is_ready, is_dead = false, lease = NULL, attempts = 0, error = NULL,
        updated_at = now()
      RETURNING is_ready)
    SELECT pg_notify(${channel}, $1::text)::text FROM added WHERE is_ready LIMIT 1`;
}

interface Claimable {
  table: string;
  /** The SQL condition for ready rows, which may use the parameter $7. */
  ready: string;
  /** The column that contains the target, and the SQL type of the ids. */
  target: string;
  type: 'text' | 'uuid';
  /** A value that sorts before all ids. */
  first: string;
}

/**
 * Returns the statement that finds organizations with ready rows and their targets: at most $3 organizations after $1 that are not in $2, and at most
 * $6 targets of each, beginning after the cursor of the organization ($4, $5). Each step is one index lookup. The order is explicit, because the
 * caller continues after the last row.
 */
export function findReady({ table, ready, target, type, first }: Claimable): string {
  const organization = (after: string): string =>
    `SELECT org_id FROM ${table} WHERE ${ready} AND org_id > ${after} ORDER BY org_id LIMIT 1`;
  const targets = (after: string, upTo = ''): string => {
    const next = (last: string): string => `SELECT ${target} AS target FROM ${table}
      WHERE ${ready} AND org_id = some_org.org_id AND ${target} > ${last} ${upTo} ORDER BY ${target} LIMIT 1`;
    return `WITH RECURSIVE one AS ((${next(after)})
        UNION ALL SELECT next.target FROM one CROSS JOIN LATERAL (${next('one.target')}) AS next)
      SELECT target FROM one LIMIT $6`;
  };
  const start = `'${first}'::${type}`;
  return `
    WITH RECURSIVE org AS (
      (${organization(`$1::${type}`)})
      UNION ALL SELECT next.org_id FROM org CROSS JOIN LATERAL (${organization('org.org_id')}) AS next)
    SELECT org_id AS "orgId", target FROM (SELECT org_id FROM org WHERE org_id <> ALL($2::${type}[]) LIMIT $3) AS some_org
    LEFT JOIN unnest($4::${type}[], $5::${type}[]) AS cursor (org_id, after) USING (org_id)
    CROSS JOIN LATERAL (
      SELECT 0 AS round, target FROM (${targets(`coalesce(cursor.after, ${start})`)}) AS later
      UNION ALL SELECT 1, target FROM (${targets(start, `AND ${target} <= cursor.after`)}) AS earlier) AS its
    ORDER BY org_id, round, target`;
}

function claiming(table: string) {
  const find = findReady({ table, ready: 'is_ready AND task = $7', target: 'target', type: 'text', first: '' });

  // The number of the attempt is committed with the claim. An attempt that a crash interrupts therefore counts, so that a job that crashes its
  // process is not retried forever.
  const claim = `
    WITH found AS MATERIALIZED (
      SELECT job.id FROM unnest($1::text[], $2::text[], $3::int[]) AS wish (org_id, target, many) CROSS JOIN LATERAL (
        SELECT id FROM ${table} WHERE is_ready AND task = $4 AND org_id = wish.org_id AND target = wish.target
        ORDER BY due_at LIMIT wish.many FOR UPDATE SKIP LOCKED) AS job)
    UPDATE ${table} SET is_ready = false, lease = gen_random_uuid(), attempts = attempts + 1,
      due_at = now() + interval '${LEASE_SECONDS} seconds'
    WHERE id = ANY(ARRAY(SELECT id FROM found))
    RETURNING id, key, org_id AS "orgId", target, payload, attempts, lease`;
  return { find, claim };
}

function leasing(table: string) {
  // Skips rows that another statement has locked to replace or complete the job. The lease of a skipped row is long enough for the next renewal.
  const own = `SELECT job.id FROM ${table} AS job JOIN unnest($1::bigint[], $2::uuid[]) AS held (id, lease) USING (id, lease)
    WHERE job.id = ANY($1::bigint[]) ORDER BY job.id FOR UPDATE OF job SKIP LOCKED`;
  const renew = `UPDATE ${table} SET due_at = now() + interval '${LEASE_SECONDS} seconds'
    WHERE id = ANY(ARRAY(${own})) RETURNING lease`;
  const giveBack = `UPDATE ${table} SET due_at = now(), lease = NULL, is_ready = true WHERE id = ANY(ARRAY(${own}))`;

  // Makes due jobs ready. A job with a lease that expired in its last attempt becomes dead. Returns the number of these jobs, and which of the tasks
  // ($2) have ready jobs, so that a worker without jobs executes one statement instead of one for each task. The order makes each look-up use the
  // index: statistics often contain no ready jobs, and PostgreSQL would then read all ready jobs for an EXISTS.
  const promote = `
    WITH promoted AS (
      UPDATE ${table} SET lease = NULL, is_ready = attempts < ${MAX_ATTEMPTS}, is_dead = attempts >= ${MAX_ATTEMPTS}, updated_at = now()
      WHERE id = ANY(ARRAY(SELECT id FROM ${table} WHERE NOT is_ready AND NOT is_dead AND due_at <= now()
        ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING task)
    SELECT (SELECT count(*)::int FROM promoted) AS many, ARRAY(
      SELECT task FROM promoted UNION
      SELECT known.task FROM unnest($2::text[]) AS known (task) CROSS JOIN LATERAL (
        SELECT FROM ${table} WHERE is_ready AND task = known.task ORDER BY org_id LIMIT 1) AS one) AS tasks`;
  return { renew, giveBack, promote };
}

/** The lease in the condition fences the write: a job that another process has claimed, or that was replaced, stays unchanged. */
function ending(table: string) {
  const own = 'WHERE id = $1::bigint AND lease = $2::uuid';
  const failed = `UPDATE ${table} SET lease = NULL, is_dead = $3, attempts = attempts - (NOT $4)::int, error = $6, updated_at = now(),
    due_at = now() + interval '1 millisecond' * $5::float8 ${own}`;
  return { done: `DELETE FROM ${table} ${own}`, failed };
}

function dead(table: string) {
  return {
    purge: `DELETE FROM ${table} WHERE id = ANY(ARRAY(
      SELECT id FROM ${table} WHERE is_dead AND updated_at < now() - interval '30 days' ORDER BY updated_at LIMIT $1
      FOR UPDATE SKIP LOCKED)) RETURNING id`,

    count: Object.entries({ ready: 'is_ready', waiting: 'NOT is_ready AND NOT is_dead', dead: 'is_dead' })
      .map(
        ([state, where]) => `SELECT '${state}' AS state, count(*)::int AS many,
          greatest(0, extract(epoch FROM clock_timestamp() - min(due_at)))::float8 AS seconds
        FROM (SELECT due_at FROM ${table} WHERE ${where} LIMIT $1) AS counted`,
      )
      .join(' UNION ALL '),
  };
}
