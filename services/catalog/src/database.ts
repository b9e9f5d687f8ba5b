import { join } from 'node:path';
import { type Database, openDatabase } from '@drawbridge/database';
import { PrismaClient } from './gen/prisma/client.js';

export type Db = PrismaClient;

export function openCatalogDatabase(url: string): Promise<Database<Db>> {
  return openDatabase({
    url,
    schema: 'catalog',
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    shared: ['Inbox', 'PurgedWorkspace'],
    client: (options) => new PrismaClient(options),
  });
}
