import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPrisma } from '@drawbridge/schema-engine';
import { startDatabaseServer, temporaryDatabase } from '@drawbridge/testkit';
import pg from 'pg';
import { migrate } from './migrate.js';

const PRISMA_CONFIG = `export default {
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  datasource: { url: process.env.DATABASE_URL },
};`;

const NOTES = 'CREATE TABLE notes (id int PRIMARY KEY);';
/** Semicolons in a body, and a statement that fails where the first migration is missing. */
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
  writeFileSync(join(folder, 'prisma.config.mjs'), PRISMA_CONFIG);
  writeFileSync(join(folder, 'schema.prisma'), 'datasource db {\n  provider = "postgresql"\n}\n');
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

const apply = (schema = 'ours') => migrate({ url: database.url, schema, migrations: join(folder, 'migrations') });

function prisma(schema: string, ...args: string[]) {
  return runPrisma(['migrate', ...args], { folder, url: `${database.url}?schema=${schema}` });
}

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

it('lets racing starters apply each migration once', async () => {
  await Promise.all(Array.from({ length: 8 }, () => apply()));
  expect(await names()).toEqual(['20260101000000_notes', '20260102000000_text']);
});

it('keeps the books of `prisma migrate deploy`', async () => {
  await apply('ours');
  await client.query('CREATE SCHEMA prisma');
  expect((await prisma('prisma', 'deploy')).stdout).toContain('All migrations have been successfully applied');

  expect(await books('ours')).toEqual(await books('prisma'));
  expect(await columns('ours')).toEqual(await columns('prisma'));
});

it('leaves nothing to do for Prisma, and Prisma nothing for it', async () => {
  await apply('ours');
  expect((await prisma('ours', 'deploy')).stdout).toContain('No pending migrations to apply');
  expect((await prisma('ours', 'status')).stdout).toContain('Database schema is up to date');

  await client.query('CREATE SCHEMA prisma');
  await prisma('prisma', 'deploy');
  const before = await books('prisma');
  await apply('prisma');
  expect(await books('prisma')).toEqual(before);
});

it('stops at a migration that fails, and at every start until somebody resolved it', async () => {
  write('20260103000000_broken/migration.sql', 'CREATE TABLE half (); ALTER TABLE nowhere ADD COLUMN x int;');
  write('20260104000000_later/migration.sql', 'CREATE TABLE later ();');

  await expect(apply()).rejects.toThrow('Migration 20260103000000_broken of ours failed: relation "nowhere"');
  await expect(apply()).rejects.toThrow('Migration 20260103000000_broken of ours failed earlier');
  expect((await books('ours')).at(-1)).toMatchObject({
    finished: false,
    logs: expect.stringContaining('relation "nowhere" does not exist'),
  });

  write('20260103000000_broken/migration.sql', 'CREATE TABLE half ();');
  const resolved = await prisma('ours', 'resolve', '--rolled-back', '20260103000000_broken');
  expect(resolved).toMatchObject({ code: 0 });
  await apply();
  expect(await names()).toEqual([
    '20260101000000_notes',
    '20260102000000_text',
    '20260103000000_broken',
    '20260103000000_broken',
    '20260104000000_later',
  ]);
});
