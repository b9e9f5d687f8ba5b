import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_TABLE, type ServiceName, SERVICES } from '@drawbridge/contracts';
import { type Database, openDatabase } from '@drawbridge/database';
import { EVENT_TABLES, WORKSPACE_TABLES } from '@drawbridge/events';
import { startDatabaseServer, temporaryDatabase } from '@drawbridge/testkit';
import { type Pool } from 'pg';
import { defineService } from './define-service.js';

const migrationsOf = (service: ServiceName): string =>
  join(import.meta.dirname, '../../../services', service, 'prisma/migrations');
const OLD = SERVICES.filter((service) => SERVICE_TABLE[service].hasDatabase && existsSync(migrationsOf(service)));

/** These tests query only the pool, never Prisma. */
interface Client {
  $disconnect(): Promise<void>;
  $transaction(): Promise<void>;
  $extends(): Client;
}
const client = (): Client => ({
  $disconnect: async () => undefined,
  $transaction: async () => undefined,
  $extends: client,
});

const serviceOf = (name: ServiceName, migrations: string, isGuarded: boolean) =>
  defineService({
    name,
    database: { client, migrations },
    emptyWorkspace: isGuarded ? async () => 0 : undefined,
    assemble: () => ({ rpcs: [] }),
  });

let server: Awaited<ReturnType<typeof startDatabaseServer>>;
let place: Awaited<ReturnType<typeof temporaryDatabase>>;
let open: Database<Client>[];

beforeAll(async () => (server = await startDatabaseServer()));
afterAll(() => server.stop());
beforeEach(async () => {
  open = [];
  place = await temporaryDatabase(server.url);
});
afterEach(async () => {
  for (const database of open) await database.close();
  await place.drop();
});

async function opened(database: Promise<Database<Client>>): Promise<Pool> {
  open.push(await database);
  return open.at(-1)!.pool;
}

/** Returns the columns, indexes and functions of the event tables. */
async function shape(pool: Pool, schema: string): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `SELECT concat_ws(' ', table_name, column_name, udt_name, is_nullable, column_default, datetime_precision) AS line
       FROM information_schema.columns WHERE table_schema = $1 AND table_name IN ('outbox', 'inbox', 'purged_workspaces')
     UNION ALL SELECT indexdef FROM pg_indexes
       WHERE schemaname = $1 AND tablename IN ('outbox', 'inbox', 'purged_workspaces')
     UNION ALL SELECT pg_get_functiondef(pg_proc.oid) FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace
       WHERE n.nspname = $1 AND proname IN ('workspace_lives', 'bury_workspace')
     ORDER BY 1`,
    [schema],
  );
  return rows.map(({ line }) => line.replaceAll(schema, 'its').replace(/\s+/g, ' '));
}

const tablesOf = async (pool: Pool, schema: string): Promise<string[]> => {
  const sql = `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1
    AND table_name IN ('outbox', 'inbox', 'purged_workspaces') ORDER BY 1`;
  return (await pool.query<{ name: string }>(sql, [schema])).rows.map(({ name }) => name);
};

it.each(OLD)('keeps the events and purged workspaces of an installation of before: %s', async (service) => {
  const migrations = migrationsOf(service);
  const before = await opened(openDatabase({ url: place.url, schema: service, migrations, shared: [], client }));
  const old = await tablesOf(before, service);
  const isGuarded = old.includes('purged_workspaces');
  const id = randomUUID();
  const rows: Record<string, string> = {
    outbox: `(id, type, org_id, envelope) VALUES ('${id}', 'x', '${id}', '\\x00')`,
    inbox: `(event_id) VALUES ('${id}')`,
    purged_workspaces: `(workspace_id) VALUES ('${id}')`,
  };
  for (const table of old) await before.query(`INSERT INTO ${service}.${table} ${rows[table]}`);

  const after = await opened(serviceOf(service, migrations, isGuarded).openDatabase(place.url));
  for (const table of old) expect((await after.query(`SELECT FROM ${service}.${table}`)).rowCount).toBe(1);

  const none = join(import.meta.dirname, 'fixtures/migrations');
  const fresh = await opened(serviceOf('gateway', none, isGuarded).openDatabase(place.url));
  expect(await shape(after, service)).toEqual(await shape(fresh, 'gateway'));
});

it('makes the tables of a service that has no migration yet, once', async () => {
  const none = join(import.meta.dirname, 'fixtures/migrations');
  const service = serviceOf('members', none, true);
  await Promise.all([1, 2, 3].map(() => opened(service.openDatabase(place.url))));
  expect(await tablesOf(open[0]!.pool, 'members')).toEqual(['inbox', 'outbox', 'purged_workspaces']);
  const { rows } = await open[0]!.pool.query('SELECT migration_name FROM members._shipped_migrations ORDER BY 1');
  expect(rows).toHaveLength(EVENT_TABLES.length + WORKSPACE_TABLES.length);
});
