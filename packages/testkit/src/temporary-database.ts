import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@drawbridge/postgres';
import pg from 'pg';

/**
 * Settings of the server, sized for four products at the same time, each with seven or more processes of ten or more connections, and for hundreds of
 * databases in sequence. fsync is off, because without it only a power failure, which no test simulates, loses commits.
 */
const SETTINGS = {
  max_connections: '400',
  shared_buffers: '256MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** Returns the PostgreSQL server of DATABASE_URL for tests, or starts an embedded server that `stop` deletes. */
export async function startDatabaseServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env['DATABASE_URL'];
  if (given) return { url: given, stop: async () => undefined };
  const dataDir = mkdtempSync(join(tmpdir(), 'drawbridge-postgres-'));
  const server = await startPostgres({ dataDir, settings: SETTINGS, log: sayCrash, say: sayCrash });
  return {
    url: server.url,
    stop: async () => {
      await server.discard();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Prints log lines of a server crash: without them, the lost sessions would make unrelated tests fail for no visible reason. */
function sayCrash(line: string): void {
  if (/PANIC|terminated by signal|recovery|ended by itself/.test(line)) process.stderr.write(`PostgreSQL: ${line}\n`);
}

/**
 * Creates a database on `server` (default: DATABASE_URL): an empty one, or a copy of the database named `template`, which must have no sessions.
 * Dropping the database terminates its sessions.
 */
export async function temporaryDatabase(server = process.env['DATABASE_URL'] ?? '', template = 'template1') {
  if (server === '') throw new Error('DATABASE_URL: no server for a temporary database; see startDatabaseServer');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Opens a service's migrated, empty database on a test server. `close` stops the server and deletes the database. */
export async function openServiceDatabase<Opened extends { close(): Promise<void> }>(service: {
  openDatabase(url: string): Promise<Opened>;
}): Promise<{ database: Opened; url: string; close(): Promise<void> }> {
  const server = await startDatabaseServer();
  const { url, drop } = await temporaryDatabase(server.url);
  const database = await service.openDatabase(url);
  return {
    database,
    url,
    async close() {
      await database.close();
      await drop();
      await server.stop();
    },
  };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
