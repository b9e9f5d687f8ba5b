import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { consumeOnce } from './consume-once.js';
import { openTestDatabase, type TestDatabase } from './fixtures/database.js';
import { quietLog } from './fixtures/messages.js';
import { newEvent } from './outbox.js';
import { PutAside } from './skip-failing-rows.js';
import { eventRules, inboxRule, deleteExpired } from './retention.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const aside = new PutAside({ name: 'retention', log: quietLog() });
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.pool.query('CREATE TABLE gone (workspace_id text)');
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('TRUNCATE gone, inbox, outbox'));

function workspaceDeleted(): Envelope {
  const value = { workspaceId: randomUUID() };
  return Envelope.decode(newEvent({ $case: 'workspaceDeleted', value }, { orgId: randomUUID() }).envelope);
}

function connectionDeleted(): Envelope {
  const value = { connectionId: randomUUID() };
  return Envelope.decode(newEvent({ $case: 'connectionDeleted', value }, { orgId: randomUUID() }).envelope);
}

function recorder() {
  return consumeOnce(database, {
    workspaceDeleted: async (events, tx) => {
      const ids = events.map((event) => event.payload.value.workspaceId);
      await tx.query('INSERT INTO gone SELECT unnest($1::text[])', [ids]);
    },
  });
}

async function count(table: string): Promise<number> {
  const { rows } = await database.pool.query(`SELECT count(*)::int AS count FROM ${table}`);
  return rows[0].count;
}

describe('consumeOnce', () => {
  it('applies an event once, even if it is delivered again in the same or another batch', async () => {
    const consume = recorder();
    const [first, second] = [workspaceDeleted(), workspaceDeleted()];
    await consume([first, first]);
    await consume([first, second]);

    expect(await count('gone')).toBe(2);
  });

  it('applies an event once when two members of a group get it at the same time', async () => {
    const events = Array.from({ length: 50 }, workspaceDeleted);
    await Promise.all([recorder()(events), recorder()([...events].reverse()), recorder()(events)]);

    expect(await count('gone')).toBe(50);
  });

  it('runs after-commit work only after a commit', async () => {
    const seen: number[] = [];
    let looked = Promise.resolve();
    const consume = (fails: boolean) =>
      consumeOnce(database, {
        workspaceDeleted: async (_, tx, afterCommit) => {
          await tx.query("INSERT INTO gone VALUES ('one')");
          afterCommit(() => (looked = count('gone').then((rows) => void seen.push(rows))));
          if (fails) throw new Error('failed');
        },
      });
    await expect(consume(true)([workspaceDeleted()])).rejects.toThrow('failed');
    await consume(false)([workspaceDeleted()]);
    await looked;
    expect(seen).toEqual([1]);
  });

  it('applies and stores nothing if an effect fails, so that the event can be delivered again', async () => {
    const event = workspaceDeleted();
    const failing = consumeOnce(database, {
      workspaceDeleted: async (_, tx) => {
        await tx.query("INSERT INTO gone VALUES ('half')");
        throw new Error('failed early');
      },
    });
    await expect(failing([event])).rejects.toThrow('failed early');
    expect([await count('gone'), await count('inbox')]).toEqual([0, 0]);

    await recorder()([event]);
    expect(await count('gone')).toBe(1);
  });

  it('skips events without an effect', async () => {
    await recorder()([connectionDeleted()]);
    expect([await count('gone'), await count('inbox')]).toEqual([0, 0]);
  });
});

describe('retention', () => {
  it('deletes outbox rows 7 days after their publication and inbox rows 7 days after their receipt, and no other', async () => {
    const times = [0, 6, 8, 31].map((days) => new Date(Date.now() - days * DAY_MS));
    for (const at of times) await insertPublished(at);
    await database.pool.query(`UPDATE outbox SET published_at = NULL WHERE created_at = $1`, [times[3]]);
    for (const at of times) await database.pool.query('INSERT INTO inbox VALUES ($1, $2)', [idAt(at), at]);

    for (const rule of eventRules(database.schema)) await deleteExpired(database.pool, rule, { aside });
    expect(await createdAt('outbox', 'created_at')).toEqual([times[3], times[1], times[0]]);
    expect(await createdAt('inbox', 'received_at')).toEqual([times[1], times[0]]);
  });

  it('deletes in small statements until nothing is left to delete', async () => {
    const rows = `INSERT INTO inbox SELECT gen_random_uuid(), now() - interval '30 days' FROM generate_series(1, 2500)`;
    await database.pool.query(
      rows.replace('gen_random_uuid()', `('00000000-0000-7000-8000-' || lpad(to_hex(generate_series), 12, '0'))::uuid`),
    );
    await deleteExpired(database.pool, inboxRule(database.schema), { aside });
    expect(await count('inbox')).toBe(0);
  });
});

describe('retention of a table with undeletable rows', () => {
  it('tries one batch per round', async () => {
    await database.pool.query(`INSERT INTO inbox
      SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now() - interval '30 days'
      FROM generate_series(1, 2500) AS n`);
    await database.pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'poisoned'; END $$;
      CREATE TRIGGER poison BEFORE DELETE ON inbox FOR EACH ROW EXECUTE FUNCTION refuse()`);
    try {
      const own = new PutAside({ name: 'retention', log: quietLog() });
      await deleteExpired(database.pool, inboxRule(database.schema), { aside: own });
      expect(own.count()).toBe(1_000);
    } finally {
      await database.pool.query('DROP TRIGGER poison ON inbox; TRUNCATE inbox');
    }
  });
});

async function insertPublished(at: Date): Promise<void> {
  const { type, orgId, envelope } = newEvent(
    { $case: 'workspaceDeleted', value: { workspaceId: 'w' } },
    { orgId: randomUUID() },
  );
  const values = [idAt(at), type, orgId, envelope, at];
  await database.pool.query('INSERT INTO outbox VALUES ($1, $2, $3, $4, $5, $5)', values);
}

const idAt = (at: Date): string => uuidv7({ msecs: at.getTime() });

async function createdAt(table: string, column: string): Promise<Date[]> {
  const { rows } = await database.pool.query(`SELECT ${column} AS at FROM ${table} ORDER BY 1`);
  return rows.map(({ at }) => at);
}
