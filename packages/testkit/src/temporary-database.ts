import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@drawbridge/postgres';
import pg from 'pg';

/**
 * Four products at a time, each as seven processes or more with ten connections or more, and hundreds of databases one after another.
 * No test cuts the machine's power, which is all that a commit without fsync does not outlive.
 */
const SETTINGS = {
  max_connections: '400',
  shared_buffers: '256MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** A PostgreSQL server for tests: the one that DATABASE_URL names, else an embedded one that is deleted at its stop. */
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

/** A server that lost its sessions makes tests fail that have nothing to do with it: whoever reads of them is to know. */
function sayCrash(line: string): void {
  if (/PANIC|terminated by signal|recovery|ended by itself/.test(line)) process.stderr.write(`PostgreSQL: ${line}\n`);
}

/** An empty database on the server that `server` (default: DATABASE_URL) names. Dropping it ends whoever is still in it. */
export async function temporaryDatabase(server = process.env['DATABASE_URL'] ?? ''): Promise<TemporaryDatabase> {
  if (server === '') throw new Error('DATABASE_URL: no server for a temporary database; see startDatabaseServer');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** A service's database, up to date and empty, on a server for tests; `close` ends and deletes all of it. */
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

export interface TemporaryDatabase {
  url: string;
  drop(): Promise<void>;
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
