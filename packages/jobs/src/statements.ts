import pg from 'pg';
import { RECEIVER_SHARE } from './fair-claims.js';
import { MAX_ATTEMPTS } from './retry-delay.js';

/** Jobs that stay due for a slow receiver, and jobs per batch when a receiver is fast again. */
export const DUE_OF_ONE = 100;
const PUT_OFF_AT_ONCE = 5_000;
/** A receiver that completes twice its limit in each of two processes still finds due jobs. */
const AT_ONCE = 4 * RECEIVER_SHARE;
const LONGEST_SECONDS = 300;

type PrismaTransaction = { $queryRawUnsafe<T>(sql: string, ...values: unknown[]): PromiseLike<T> };

/** Runs statements: inside a Prisma or pg transaction, or on a pool as a transaction of its own. */
export type Queryable = PrismaTransaction | Pick<pg.Pool, 'query'>;

/** A statement that each pg connection plans once. */
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

/**
 * Returns the SQL on the queue's schema. Its functions are public, but `_private_jobs` may change between versions, so the version is pinned and the
 * integration tests run against it.
 *
 * Every job has a key. The queue removes the key from a job that was replaced while it ran or when it was dead, and never runs it again: such a row
 * is garbage. A job that has used all attempts and still has its key is dead.
 */
export function statements(schema: string) {
  const s = pg.escapeIdentifier(schema);
  const spent = 'attempts >= max_attempts AND locked_at IS NULL';
  const dead = `${spent} AND key IS NOT NULL`;
  return {
    // Send each payload as text and cast it, because json_to_recordset accepts fewer values in a nested JSON field.
    add: {
      name: `add-jobs ${schema}`,
      text: `SELECT key FROM ${s}.add_jobs(ARRAY(
        SELECT ROW($1::text, payload::json, NULL, run_at, ${MAX_ATTEMPTS}, key, NULL, flags)::${s}.job_spec
        FROM json_to_recordset($2::text::json) AS job (payload text, run_at timestamptz, key text, flags text[])))`,
    },

    // When the job then fails, the queue adds e^attempts seconds; shorter delays become that long.
    delay: `UPDATE ${s}._private_jobs SET updated_at = now(), attempts = attempts - $3::int,
      run_at = now() + ($2::float8 - exp(least(attempts - $3::int, 10))) * interval '1 second' WHERE id = $1::bigint`,

    // Postpones all but the first jobs, to well before their receiver, which takes $2 seconds per job, has finished the jobs before them. Random
    // factors spread the postponed jobs in time.
    putOff: `UPDATE ${s}._private_jobs AS job SET run_at = now() + interval '1 second' *
        least((${DUE_OF_ONE} + place) * $2::float8 / ${AT_ONCE}, ${LONGEST_SECONDS}) * (0.5 + random())
      FROM (SELECT id, row_number() OVER (ORDER BY priority, run_at) AS place FROM (
        SELECT id, priority, run_at FROM ${s}._private_jobs WHERE is_available AND run_at <= now() AND flags ? $1::text
        ORDER BY priority, run_at OFFSET ${DUE_OF_ONE} LIMIT ${PUT_OFF_AT_ONCE} FOR UPDATE SKIP LOCKED) AS waiting) AS late
      WHERE job.id = late.id`,

    // Only jobs that were never attempted: others keep the time of their retry schedule.
    bringBack: `UPDATE ${s}._private_jobs SET run_at = now() WHERE id IN (
      SELECT id FROM ${s}._private_jobs WHERE is_available AND attempts = 0 AND flags ? $1::text
        AND run_at > now() AND run_at < now() + ${2 * LONGEST_SECONDS} * interval '1 second'
      ORDER BY priority, run_at LIMIT ${DUE_OF_ONE} FOR UPDATE SKIP LOCKED) RETURNING id::text`,

    markDead: `UPDATE ${s}._private_jobs SET updated_at = now(), attempts = max_attempts WHERE id = $1::bigint`,

    listDead: `SELECT job.id::text, identifier AS task, payload->'data' AS payload, last_error AS error,
      updated_at AS "failedAt" FROM ${s}._private_jobs job JOIN ${s}._private_tasks task ON task.id = task_id
      WHERE ${dead} ORDER BY updated_at DESC, job.id DESC LIMIT 100`,

    revive: `SELECT id::text, pg_notify('jobs:insert', '{"count":1}')::text FROM ${s}.reschedule_jobs(
      ARRAY(SELECT id FROM ${s}._private_jobs WHERE id = $1::bigint AND ${dead}), run_at => now(), attempts => 0)`,

    purge: `DELETE FROM ${s}._private_jobs
      WHERE ${spent} AND (key IS NULL OR greatest(updated_at, run_at) < now() - interval '30 days')`,

    takeOver: `SELECT ${s}.force_unlock_workers(array_agg(locked_by)), count(*)::int AS count
      FROM (SELECT DISTINCT locked_by FROM ${s}._private_jobs WHERE locked_by IS NOT NULL) holder
      WHERE pg_try_advisory_xact_lock(hashtextextended('jobs ' || locked_by, 0))`,

    lockWorker: `SELECT pg_advisory_lock(hashtextextended('jobs ' || $1, 0))`,
  };
}

export type Statements = ReturnType<typeof statements>;
