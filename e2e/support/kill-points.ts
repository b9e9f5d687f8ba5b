import { openClient, rowsOf } from './database.js';
import { eventually } from './eventually.js';

/** The services that publish events. */
export const PUBLISHERS = ['execution', 'members', 'connections', 'catalog'] as const;
export type Publisher = (typeof PUBLISHERS)[number];

interface Point {
  databaseUrl: string;
  publisher: Publisher;
  kill(): Promise<unknown>;
}

// The lock that replicas of a relay share: while the test holds it, it is the replica whose turn it is.
const TAKE_TURN = `SELECT pg_advisory_lock(hashtextextended('outbox ' || $1, 0))`;
const GIVE_TURN = `SELECT pg_advisory_unlock(hashtextextended('outbox ' || $1, 0))`;
const MARKING = `
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE %.outbox SET published_at%'`;

/** Kills once events are committed that nobody published. Answers how many. */
export async function killBeforePublish({ databaseUrl, publisher, kill }: Point): Promise<number> {
  const turn = await openClient(databaseUrl);
  try {
    await turn.query(TAKE_TURN, [publisher]);
    const waiting = await untilSome(databaseUrl, unpublished(publisher));
    await kill();
    return waiting;
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
    await untilSome(databaseUrl, MARKING);
    await kill();
    return rowCount ?? 0;
  } finally {
    await Promise.all([turn.end(), rows.end()]);
  }
}

const unpublished = (publisher: Publisher): string => `SELECT id FROM ${publisher}.outbox WHERE published_at IS NULL`;

function untilSome(databaseUrl: string, sql: string): Promise<number> {
  return eventually(async () => {
    const { length } = await rowsOf(databaseUrl, sql);
    if (length === 0) throw new Error(`Never any row: ${sql}`);
    return length;
  });
}
