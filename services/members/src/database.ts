import { join } from 'node:path';
import { type Database, openDatabase, tenancy } from '@drawbridge/database';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './gen/prisma/client.js';

/** Models that hold nothing of one tenant. */
const SHARED = ['Organization', 'User', 'Outbox', 'Inbox'];

export type Db = PrismaClient;
export type MembersDatabase = Database<Db>;

export function openMembersDatabase(url: string): Promise<MembersDatabase> {
  return openDatabase({
    url,
    schema: 'members',
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    shared: SHARED,
    connect: (pool) => {
      const unscoped = new PrismaClient({ adapter: new PrismaPg(pool, { schema: 'members' }) });
      return { unscoped, db: unscoped.$extends(tenancy(SHARED)) as unknown as Db };
    },
  });
}
