import { join } from 'node:path';
import { type ClientOptions, type Database, openDatabase } from '@drawbridge/database';
import { PrismaClient } from './gen/prisma/client.js';

/** Columns that only the vault reads, by SQL of its own. */
const omit = { connection: { sealed: true, wrappedKey: true, masterKeyId: true } } as const;

const client = (options: ClientOptions) => new PrismaClient({ ...options, omit });

export type Db = ReturnType<typeof client>;
export type ConnectionRow = Awaited<ReturnType<Db['connection']['findFirstOrThrow']>>;
export type Transaction = Parameters<Parameters<Db['$transaction']>[0]>[0];

export function openConnectionsDatabase(url: string): Promise<Database<Db>> {
  return openDatabase({
    url,
    schema: 'connections',
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    shared: ['Outbox', 'Inbox', 'PurgedWorkspace'],
    client,
  });
}
