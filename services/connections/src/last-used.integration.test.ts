import { randomUUID } from 'node:crypto';
import { type Database } from '@drawbridge/database';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type Db } from './database.js';
import { connections } from './index.js';
import { lastUsed } from './vault.js';

let close: () => Promise<void>;
let database: Database<Db>;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(connections)));
afterAll(() => close());

const orgId = randomUUID();
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function keep(lastUsedAt?: Date): Promise<string> {
  const bytes = Buffer.alloc(1);
  const names = { externalId: randomUUID(), displayName: 'X', integrationName: 'github', type: 'SECRET_TEXT' };
  const sealed = { sealed: bytes, wrappedKey: bytes, masterKeyId: 'k1' };
  const data = { ...names, ...sealed, orgId, scope: 'ORGANIZATION', scopeId: orgId, status: 'ACTIVE', lastUsedAt };
  return (await database.db.connection.create({ data })).id;
}

const usedAt = async (id: string): Promise<Date | null> =>
  (await database.db.connection.findUniqueOrThrow({ where: { orgId, id } })).lastUsedAt;

async function note(...used: { orgId: string; connectionId: string }[]): Promise<void> {
  const noting = lastUsed({ pool: database.pool, log: log as never });
  for (const one of used) noting.note(one);
  noting.start();
  await noting.stop(Date.now() + 5_000);
}

it('writes the last use, at most once in five minutes', async () => {
  const recent = new Date(Date.now() - 60_000);
  const [fresh, old, other] = [await keep(recent), await keep(new Date(0)), await keep()];
  await note({ orgId, connectionId: fresh }, { orgId, connectionId: old });
  expect(await usedAt(fresh)).toEqual(recent);
  expect((await usedAt(old))!.getTime()).toBeGreaterThan(recent.getTime());
  expect(await usedAt(other)).toBeNull();
});

it('writes nothing for a connection of another organization', async () => {
  const id = await keep();
  await note({ orgId: randomUUID(), connectionId: id });
  expect(await usedAt(id)).toBeNull();
});

it('writes the other connections if one cannot be written', async () => {
  const [bad, good] = [await keep(), await keep()];
  await database.pool.query(`
    CREATE FUNCTION connections.poisoned() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'poisoned'; END $$;
    CREATE TRIGGER poison BEFORE UPDATE ON connections.connections FOR EACH ROW WHEN (OLD.id = '${bad}')
      EXECUTE FUNCTION connections.poisoned()`);
  await note({ orgId, connectionId: bad }, { orgId, connectionId: good });
  await database.pool.query('DROP TRIGGER poison ON connections.connections');
  expect(await usedAt(bad)).toBeNull();
  expect(await usedAt(good)).not.toBeNull();
});

it('does not wait for a row that another transaction has locked', async () => {
  const [locked, free] = [await keep(), await keep()];
  const tx = await database.pool.connect();
  await tx.query('BEGIN');
  await tx.query('SELECT FROM connections.connections WHERE id = $1 FOR UPDATE', [locked]);
  await note({ orgId, connectionId: locked }, { orgId, connectionId: free });
  await tx.query('ROLLBACK');
  tx.release();
  expect(await usedAt(locked)).toBeNull();
  expect(await usedAt(free)).not.toBeNull();
});
