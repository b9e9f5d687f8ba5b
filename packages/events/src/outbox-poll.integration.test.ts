import { type Pool } from 'pg';
import { eventually } from './fixtures/eventually.js';
import { outboxStatements } from './outbox-statements.js';
import { database, event, pool, recordingBus, startRelay, unpublished, write } from './fixtures/outbox.js';

/** The schema of a second service in the same database. */
let other: string;

/** Writes an event into the outbox of the other service, as a writer without `wake` does. */
async function writeToOther(): Promise<string> {
  const { id, type, orgId, envelope } = event();
  const values = [id, type, orgId, envelope];
  await pool.query(`INSERT INTO ${other}.outbox (id, type, org_id, envelope) VALUES ($1, $2, $3, $4)`, values);
  return id;
}

/** Records the text of each statement that is sent outside of a transaction. */
function recordStatements(on: Pool): string[] {
  const texts: string[] = [];
  const query = on.query.bind(on) as (...args: unknown[]) => unknown;
  on.query = ((...args: unknown[]) => {
    texts.push((args[0] as { text: string }).text);
    return query(...args);
  }) as typeof on.query;
  return texts;
}

/** Starts the relays of two services on one pool, and waits for a search. The rounds at the start of the relays have usually ended then. */
async function startBoth(): Promise<{ own: string[]; others: string[]; statements: string[] }> {
  const shared = database.newPool();
  const statements = recordStatements(shared);
  const [own, others]: [string[], string[]] = [[], []];
  await startRelay(recordingBus(own), shared);
  await startRelay(recordingBus(others), shared, other);
  await eventually(async () => statements.length > 0);
  return { own, others, statements };
}

/** Returns true if a statement waits for a lock on the outbox of the other service. */
async function isSearchBlocked(): Promise<boolean> {
  const { rows } = await pool.query('SELECT 1 FROM pg_locks WHERE relation = $1::regclass AND NOT granted', [
    `${other}.outbox`,
  ]);
  return rows.length > 0;
}

/** Records the delay of each timer that starts until `restore` is called. */
function recordTimers(): { delays: (number | undefined)[]; restore(): void } {
  const delays: (number | undefined)[] = [];
  const { setTimeout } = globalThis;
  const recording = (work: () => void, ms?: number): NodeJS.Timeout => {
    delays.push(ms);
    return setTimeout(work, ms);
  };
  globalThis.setTimeout = Object.assign(recording, setTimeout);
  return { delays, restore: () => void (globalThis.setTimeout = setTimeout) };
}

describe('the search for rows that were written without a wake-up', () => {
  beforeAll(async () => {
    other = `${database.schema}_other`;
    await pool.query(`CREATE SCHEMA ${other}; CREATE TABLE ${other}.outbox (LIKE outbox INCLUDING ALL)`);
  });
  afterAll(() => pool.query(`DROP SCHEMA ${other} CASCADE`));
  beforeEach(() => pool.query(`TRUNCATE ${other}.outbox`));

  it('reads the outboxes of all services that share a pool with one statement', async () => {
    const { own, others, statements } = await startBoth();
    const [first] = await write(1);
    const second = await writeToOther();

    await eventually(async () => own.length + others.length === 2);
    expect([own, others]).toEqual([[first], [second]]);
    expect(new Set(statements).size).toBe(1);
    expect(statements[0]).toContain(`${database.schema}.outbox`);
    expect(statements[0]).toContain(`${other}.outbox`);
  });

  it('continues for the other services when an outbox cannot be read', async () => {
    const { own, others } = await startBoth();
    const second = await writeToOther();
    await eventually(async () => others.length === 1);
    await pool.query(`ALTER TABLE ${other}.outbox RENAME TO moved`);
    try {
      const [first] = await write(1);
      await eventually(async () => own.length === 1);
      expect(own).toEqual([first]);
    } finally {
      await pool.query(`ALTER TABLE ${other}.moved RENAME TO outbox`);
    }
    const third = await writeToOther();
    await eventually(async () => others.length === 2);
    expect(others).toEqual([second, third]);
  });

  it('publishes rows of the other services while an outbox is locked', async () => {
    const { own, others } = await startBoth();
    const migration = await pool.connect();
    try {
      await migration.query(`BEGIN; LOCK TABLE ${other}.outbox`);
      await eventually(isSearchBlocked);
      const [first] = await write(1);
      await eventually(async () => own.length === 1);
      expect(own).toEqual([first]);
    } finally {
      await migration.query('ROLLBACK');
      migration.release();
    }
    const second = await writeToOther();
    await eventually(async () => others.length === 1);
    expect(others).toEqual([second]);
  });

  it('finds rows soon if another process was publishing the outbox', async () => {
    const shared = database.newPool();
    const statements = recordStatements(shared);
    const published: string[] = [];
    const relay = await startRelay(recordingBus(published), shared);
    const publishing = await pool.connect();
    try {
      await eventually(async () => statements.length > 2); // The pause between two searches is half a second now.
      await publishing.query(`BEGIN; ${outboxStatements(database.schema).lock}`);
      const ids = await write(1);
      const { delays, restore } = recordTimers();
      relay.wake();
      await eventually(async () => delays.includes(200)).finally(restore);
      expect(published).toEqual([]);
      await publishing.query('ROLLBACK');
      await eventually(async () => published.length === 1);
      expect(published).toEqual(ids);
    } finally {
      publishing.release();
    }
  });

  it('stops with the last relay, and begins again with the next one', async () => {
    const shared = database.newPool();
    const statements = recordStatements(shared);
    const relays = [await startRelay(recordingBus([]), shared), await startRelay(recordingBus([]), shared, other)];
    await eventually(async () => statements.length > 0);
    for (const relay of relays) await relay.stop(Date.now() + 5_000);
    await eventually(async () => shared.idleCount === shared.totalCount);
    const before = statements.length;
    const { delays, restore } = recordTimers();
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    restore();
    expect(statements.length).toBe(before);
    expect(delays).toEqual([1_200]);

    const published: string[] = [];
    await startRelay(recordingBus(published), shared);
    await eventually(async () => statements.length > before);
    const ids = await write(1);
    await eventually(async () => published.length === 1);
    expect(published).toEqual(ids);
  });

  it('does not shorten the pauses of a relay that fails', async () => {
    let attempts = 0;
    const fail = async () => {
      attempts += 1;
      throw Object.assign(new Error('no broker'), { code: 'ECONNREFUSED' });
    };
    await write(1);
    await startRelay(recordingBus([], fail), database.newPool());
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    // Attempts follow pauses of 0.5, 1 and 2 s. If the search woke the relay, there would be an attempt every 0.5 s.
    expect(attempts).toBeGreaterThanOrEqual(1);
    expect(attempts).toBeLessThanOrEqual(5);
    expect(await unpublished()).toBe(1);
  });
});
