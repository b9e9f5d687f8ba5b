import { join } from 'node:path';
import { type Database, openDatabase } from '@drawbridge/database';
import { PrismaClient } from './gen/prisma/client.js';

export type Db = PrismaClient;

export function openExecutionDatabase(url: string): Promise<Database<Db>> {
  return openDatabase({
    url,
    schema: 'execution',
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    shared: ['Outbox', 'Inbox'],
    client: (options) => new PrismaClient(options),
  });
}
