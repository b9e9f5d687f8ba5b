import { join } from 'node:path';
import { type Database, openDatabase, tenancy } from '@drawbridge/database';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './gen/prisma/client.js';

/** Models that hold nothing of one tenant. */
const SHARED = ['Inbox'];

export type Db = PrismaClient;

export function openCatalogDatabase(url: string): Promise<Database<Db>> {
  return openDatabase({
    url,
    schema: 'catalog',
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    shared: SHARED,
    connect: (pool) => {
      const unscoped = new PrismaClient({ adapter: new PrismaPg(pool, { schema: 'catalog' }) });
      return { unscoped, db: unscoped.$extends(tenancy(SHARED)) as unknown as Db };
    },
  });
}
