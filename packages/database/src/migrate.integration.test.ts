import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILTERS, readMigrations, withSchemaEngine } from '@drawbridge/schema-engine';
import { startDatabaseServer, temporaryDatabase } from '@drawbridge/testkit';
import pg from 'pg';
import { migrate } from './migrate.js';

const NOTES = 'CREATE TABLE notes (id int PRIMARY KEY);';
/** The second migration of the tests. It contains semicolons in a function body, and a statement that fails without the first migration. */
const TEXT = `ALTER TABLE notes ADD COLUMN text text;
CREATE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN 1; END $$;`;

let server: Awaited<ReturnType<typeof startDatabaseServer>>;
let database: Awaited<ReturnType<typeof temporaryDatabase>>;
let client: pg.Client;
let folder: string;

beforeAll(async () => {
  server = await startDatabaseServer();
});
afterAll(() => server.stop());

beforeEach(async () => {
  database = await temporaryDatabase(server.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-migrations-'));
  write('migration_lock.toml', 'provider = "postgresql"\n');
  write('20260101000000_notes/migration.sql', NOTES);
  write('20260102000000_text/migration.sql', TEXT);
});
afterEach(async () => {
  await client.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

function write(name: string, content: string): void {
  mkdirSync(join(folder, 'migrations', name, '..'), { recursive: true });
  writeFileSync(join(folder, 'migrations', name), content);
}

const apply = (schema = 'ours', patience?: Parameters<typeof migrate>[0]['patience']) =>
  migrate({ url: database.url, schema, migrations: join(folder, 'migrations'), patience });

type Work<Result> = Parameters<typeof withSchemaEngine<Result>>[1];

const prisma = <Result>(schema: string, work: Work<Result>) =>
  withSchemaEngine(`${database.url}?schema=${schema}`, work);

const migrations = () => ({ migrationsList: readMigrations(join(folder, 'migrations')), filters: FILTERS });

/** Applies migrations as `prisma migrate deploy` does. */
const deploy = async (schema: string) =>
  (await prisma(schema, (engine) => engine.applyMigrations(migrations()))).appliedMigrationNames;

/** Reads the state as `prisma migrate status` does. */
const status = (schema: string) =>
  prisma(schema, (engine) => engine.diagnoseMigrationHistory({ ...migrations(), optInToShadowDatabase: false }));

const UP_TO_DATE = { editedMigrationNames: [], failedMigrationNames: [], hasMigrationsTable: true, history: null };

async function books(schema: string) {
  const { rows } = await client.query(
    `SELECT migration_name, checksum, logs, applied_steps_count, finished_at IS NOT NULL AS finished,
      rolled_back_at IS NOT NULL AS rolled_back FROM ${schema}._prisma_migrations ORDER BY started_at`,
  );
  return rows;
}

async function columns(schema: string) {
  const { rows } = await client.query(
    `SELECT column_name, udt_name, character_maximum_length, is_nullable, column_default FROM information_schema.columns
      WHERE table_schema = $1 AND table_name = '_prisma_migrations' ORDER BY ordinal_position`,
    [schema],
  );
  return rows;
}

const names = async (schema = 'ours') => (await books(schema)).map((row) => row.migration_name);

it('applies each migration once, in the order of their names', async () => {
  await apply();
  await apply();
  expect(await names()).toEqual(['20260101000000_notes', '20260102000000_text']);
});

it('applies each migration once in concurrent starts', async () => {
  await Promise.all(Array.from({ length: 8 }, () => apply()));
  expect(await names()).toEqual(['20260101000000_notes', '20260102000000_text']);
});

it('records migrations like `prisma migrate deploy`', async () => {
  await apply('ours');
  await client.query('CREATE SCHEMA prisma');
  expect(await deploy('prisma')).toEqual(['20260101000000_notes', '20260102000000_text']);

  expect(await books('ours')).toEqual(await books('prisma'));
  expect(await columns('ours')).toEqual(await columns('prisma'));
});

it('applies the same migrations as Prisma', async () => {
  await apply('ours');
  expect(await deploy('ours')).toEqual([]);
  expect(await status('ours')).toEqual(UP_TO_DATE);

  await client.query('CREATE SCHEMA prisma');
  await deploy('prisma');
  const before = await books('prisma');
  await apply('prisma');
  expect(await books('prisma')).toEqual(before);
});

it('stops at a failed migration at every start until it is resolved', async () => {
  write('20260103000000_broken/migration.sql', 'CREATE TABLE half (); ALTER TABLE nowhere ADD COLUMN x int;');
  write('20260104000000_later/migration.sql', 'CREATE TABLE later ();');

  await expect(apply()).rejects.toThrow('Migration 20260103000000_broken of ours failed: relation "nowhere"');
  await expect(apply()).rejects.toThrow('Migration 20260103000000_broken of ours failed earlier');
  expect((await books('ours')).at(-1)).toMatchObject({
    finished: false,
    logs: expect.stringContaining('relation "nowhere" does not exist'),
  });

  write('20260103000000_broken/migration.sql', 'CREATE TABLE half ();');
  await prisma('ours', (engine) => engine.markMigrationRolledBack({ migrationName: '20260103000000_broken' }));
  await apply();
  expect(await names()).toEqual([
    '20260101000000_notes',
    '20260102000000_text',
    '20260103000000_broken',
    '20260103000000_broken',
    '20260104000000_later',
  ]);
});

describe('interrupted', () => {
  const LATER = '20260103000000_later';
  const WAITING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;

  beforeEach(async () => {
    await apply();
    await client.query(`SELECT pg_advisory_lock(1);
      CREATE FUNCTION ours.hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN new; END $$`);
  });

  it.each([
    ['during its statements', '', 'SELECT pg_advisory_xact_lock(1);'],
    [
      'before its record',
      'CREATE TRIGGER hold BEFORE UPDATE ON ours._prisma_migrations FOR EACH ROW EXECUTE FUNCTION ours.hold()',
      '',
    ],
  ])('applies a migration at the next start after an end %s', async (_when, before, within) => {
    await client.query(before);
    write(`${LATER}/migration.sql`, `CREATE TABLE later (); ${within} CREATE TABLE latest ();`);
    const interrupted = apply('ours', { lockMs: 60_000, tries: 1, pauseMs: 1 }).catch((error: Error) => error.message);
    let waiting: pg.QueryResult = await client.query(WAITING);
    while (waiting.rowCount === 0) waiting = await client.query(WAITING);
    await client.query('SELECT pg_terminate_backend($1)', [waiting.rows[0].pid]);
    expect(await interrupted).toContain(`${LATER} of ours failed: terminating connection`);
    expect((await client.query(`SELECT to_regclass('ours.later') AS made`)).rows).toEqual([{ made: null }]);

    await client.query('SELECT pg_advisory_unlock(1); DROP TRIGGER IF EXISTS hold ON ours._prisma_migrations');
    await apply();
    expect((await names()).slice(2)).toEqual([LATER, LATER]);
    expect((await books('ours')).slice(2)).toMatchObject([{ rolled_back: true }, { finished: true }]);
    expect(await status('ours')).toEqual(UP_TO_DATE);
  });
});

describe('beside a version that still runs', () => {
  const LATER = '20260103000000_later';

  beforeEach(async () => {
    await apply();
    write(`${LATER}/migration.sql`, 'CREATE TABLE later (); ALTER TABLE notes ADD COLUMN later int;');
    await client.query('BEGIN; LOCK TABLE ours.notes IN ACCESS SHARE MODE');
  });

  /** Resolves after the migration has waited for a lock and timed out `times` times. */
  async function givenUp(times: number): Promise<void> {
    const watcher = new pg.Client({ connectionString: database.url });
    await watcher.connect();
    let [seen, was] = [0, false];
    while (seen < times) {
      const { rowCount } = await watcher.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (was && rowCount === 0) seen += 1;
      was = rowCount! > 0;
    }
    await watcher.end();
  }

  it('retries a migration that timed out on a lock', async () => {
    const applied = apply('ours', { lockMs: 200, tries: 1_000, pauseMs: 200 });
    await givenUp(2);
    await client.query('ROLLBACK');
    await applied;
    expect((await books('ours')).at(-1)).toMatchObject({ migration_name: LATER, finished: true, rolled_back: false });
    expect(await status('ours')).toEqual(UP_TO_DATE);
  });

  it.each(['40P01', '40001'])('retries a migration that failed with %s, of a deadlock or a race', async (code) => {
    // A rollback does not affect a sequence, so the sequence counts the attempts of the migration.
    await client.query('ROLLBACK; CREATE SEQUENCE ours.tries');
    const thirdTime = `DO $$ BEGIN IF nextval('tries') < 3 THEN RAISE 'not yet' USING ERRCODE = '${code}'; END IF; END $$`;
    write(`${LATER}/migration.sql`, `CREATE TABLE later (); ${thirdTime};`);
    await apply('ours', { lockMs: 200, tries: 3, pauseMs: 1 });
    expect(await names()).toEqual(['20260101000000_notes', '20260102000000_text', LATER]);
  });

  it('names the remedy if it never gets the lock, and retries at the next start', async () => {
    await expect(apply('ours', { lockMs: 20, tries: 3, pauseMs: 1 })).rejects.toThrow(
      `Migration ${LATER} of ours failed: canceling statement due to lock timeout. Other sessions hold its tables: end long`,
    );
    await client.query('ROLLBACK');
    expect((await books('ours')).at(-1)).toMatchObject({ finished: false, rolled_back: true, applied_steps_count: 0 });
    expect(await status('ours')).toMatchObject({
      history: { diagnostic: 'databaseIsBehind', unappliedMigrationNames: [LATER] },
    });
    await apply();
    expect(await status('ours')).toEqual(UP_TO_DATE);
  });
});
