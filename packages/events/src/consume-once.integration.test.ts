import { randomUUID } from 'node:crypto';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { consumeOnce, pgInbox, prismaInbox } from './consume-once.js';
import { openTestDatabase, type TestDatabase } from './fixtures/database.js';
import { inTransaction } from './in-transaction.js';
import { newEvent } from './new-event.js';
import { purgeOld } from './purge-old.js';

const DAY_MS = 24 * 60 * 60 * 1000;

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
  return consumeOnce(pgInbox(database.pool, database.schema), {
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
  it('applies an event once, though it comes again, in another batch or twice in one', async () => {
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

  it('applies nothing and remembers nothing when an effect fails, so that the event can come again', async () => {
    const event = workspaceDeleted();
    const failing = consumeOnce(pgInbox(database.pool, database.schema), {
      workspaceDeleted: async (_, tx) => {
        await tx.query("INSERT INTO gone VALUES ('half')");
        throw new Error('failed half way');
      },
    });
    await expect(failing([event])).rejects.toThrow('failed half way');
    expect([await count('gone'), await count('inbox')]).toEqual([0, 0]);

    await recorder()([event]);
    expect(await count('gone')).toBe(1);
  });

  it('applies an event once in the transactions of a Prisma client', async () => {
    const event = workspaceDeleted();
    const applied: string[] = [];
    const consume = consumeOnce(prismaInbox(prismaLike(), database.schema), {
      workspaceDeleted: async (events) => applied.push(...events.map(({ id }) => id)),
    });
    await consume([event]);
    await consume([event]);

    expect(applied).toEqual([event.id]);
  });

  it('passes over cases that it has no effect for', async () => {
    await recorder()([connectionDeleted()]);
    expect([await count('gone'), await count('inbox')]).toEqual([0, 0]);
  });
});

describe('purgeOld', () => {
  it('deletes outbox rows 7 days after their publication and inbox rows after 30 days, and no other', async () => {
    const now = Date.now();
    for (const _ of [1, 2, 3]) await insertPublished(new Date(now));
    await database.pool.query(
      'UPDATE outbox SET published_at = NULL WHERE id = (SELECT min(id::text)::uuid FROM outbox)',
    );
    await recorder()([workspaceDeleted()]);

    await purgeOld(database, now + 6 * DAY_MS);
    expect([await count('outbox'), await count('inbox')]).toEqual([3, 1]);
    await purgeOld(database, now + 8 * DAY_MS);
    expect([await count('outbox'), await count('inbox')]).toEqual([1, 1]);
    await purgeOld(database, now + 31 * DAY_MS);
    expect([await count('outbox'), await count('inbox')]).toEqual([1, 0]);
  });
});

/** The two methods of a Prisma client that the inbox needs. */
function prismaLike() {
  type Tx = { $queryRawUnsafe<T>(sql: string, ...values: unknown[]): Promise<T> };
  return {
    $transaction: (work: (tx: Tx) => Promise<void>) =>
      inTransaction(database.pool, (client) =>
        work({
          $queryRawUnsafe: async <T>(sql: string, ...values: unknown[]) => (await client.query(sql, values)).rows as T,
        }),
      ),
  };
}

async function insertPublished(at: Date): Promise<void> {
  const { id, type, orgId, envelope } = newEvent(
    { $case: 'workspaceDeleted', value: { workspaceId: 'w' } },
    { orgId: randomUUID() },
  );
  await database.pool.query('INSERT INTO outbox VALUES ($1, $2, $3, $4, $5, $5)', [id, type, orgId, envelope, at]);
}
