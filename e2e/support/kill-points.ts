import { SERVICE_TABLE, SERVICES } from '@drawbridge/contracts';
import { openClient, rowsOf } from './database.js';
import { eventually } from './eventually.js';

/** The services that publish events: whoever keeps data does. */
export const PUBLISHERS = SERVICES.filter((service) => SERVICE_TABLE[service].hasDatabase);
export type Publisher = (typeof PUBLISHERS)[number];

interface Point {
  databaseUrl: string;
  publisher: Publisher;
  /** The process that is there, where one of several is. */
  kill(name?: string): Promise<unknown>;
}

// The lock that replicas of a relay share: while the test holds it, it is the replica whose turn it is.
const TAKE_TURN = `SELECT pg_advisory_lock(hashtextextended('outbox ' || $1, 0))`;
const GIVE_TURN = `SELECT pg_advisory_unlock(hashtextextended('outbox ' || $1, 0))`;
const MARKING = `
  SELECT application_name AS name FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE %.outbox SET published_at%'`;

/** Kills once events are committed that nobody published. Answers how many. */
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

/** Kills once events are published that nobody marked: the mark waits for rows that the test has locked. Answers how many. */
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

/** Rows, once there are any. */
export function untilSome<Row extends object>(databaseUrl: string, sql: string, values?: unknown[]): Promise<Row[]> {
  return eventually(async () => {
    const rows = await rowsOf<Row>(databaseUrl, sql, values);
    if (rows.length === 0) throw new Error(`Never any row: ${sql}`);
    return rows;
  });
}
