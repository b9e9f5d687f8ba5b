import { SERVICE_TABLE, SERVICES } from '@drawbridge/contracts';
import { openClient, rowsOf } from './database.js';
import { eventually } from './eventually.js';

/** The services that publish events: all services with a database. */
export const PUBLISHERS = SERVICES.filter((service) => SERVICE_TABLE[service].hasDatabase);
export type Publisher = (typeof PUBLISHERS)[number];

interface Point {
  databaseUrl: string;
  publisher: Publisher;
  /** Kills the process with this name if there are several replicas, or the only process. */
  kill(name?: string): Promise<unknown>;
}

// The replicas of a service's outbox relay share this lock. While the test holds the lock, no replica publishes events.
const TAKE_TURN = `SELECT pg_advisory_lock(hashtextextended('outbox ' || $1, 0))`;
const GIVE_TURN = `SELECT pg_advisory_unlock(hashtextextended('outbox ' || $1, 0))`;
const MARKING = `
  SELECT application_name AS name FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE %.outbox SET published_at%'`;

/** Kills a process after it committed events and before they are published. Returns the number of events. */
export async function killBeforePublish({ databaseUrl, publisher, kill }: Point): Promise<number> {
  const turn = await openClient(databaseUrl);
  try {
    await turn.query(TAKE_TURN, [publisher]);
    const waiting = await untilSome(databaseUrl, unpublished(publisher));
    await kill();
    return waiting.length;
  } finally {
    await turn.end();
  }
}

/**
 * Kills a process after it published events and before it marks them as published, because the test locks their rows. Returns the number of events.
 */
export async function killBeforeMark({ databaseUrl, publisher, kill }: Point): Promise<number> {
  const [turn, rows] = [await openClient(databaseUrl), await openClient(databaseUrl)];
  try {
    await turn.query(TAKE_TURN, [publisher]);
    await untilSome(databaseUrl, unpublished(publisher));
    await rows.query('BEGIN');
    const { rowCount } = await rows.query(`${unpublished(publisher)} FOR UPDATE`);
    await turn.query(GIVE_TURN, [publisher]);
    const [marking] = await untilSome<{ name: string }>(databaseUrl, MARKING);
    await kill(marking?.name);
    return rowCount ?? 0;
  } finally {
    await Promise.all([turn.end(), rows.end()]);
  }
}

const unpublished = (publisher: Publisher): string => `SELECT id FROM ${publisher}.outbox WHERE published_at IS NULL`;

/** Waits until the query returns rows, and returns them. */
export function untilSome<Row extends object>(databaseUrl: string, sql: string, values?: unknown[]): Promise<Row[]> {
  return eventually(async () => {
    const rows = await rowsOf<Row>(databaseUrl, sql, values);
    if (rows.length === 0) throw new Error(`The query returned no rows: ${sql}`);
    return rows;
  });
}
