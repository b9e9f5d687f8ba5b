import { randomUUID } from 'node:crypto';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { connect } from './connection.js';

/** An empty database beside that of `url`, for the engine to replay migrations in; dropped when it is disposed. */
export async function connectToShadow(url: string): Promise<SqlDriverAdapter> {
  const name = `prisma_migrate_shadow_db_${randomUUID()}`;
  await execute(url, `CREATE DATABASE "${name}"`);
  const shadow = new URL(url);
  shadow.pathname = `/${name}`;
  shadow.searchParams.delete('schema');
  return connect(shadow.href, () => execute(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
}

/** Runs one statement on a connection of its own. */
export async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
