import { join } from 'node:path';
import { type Database, openDatabase, tenancy } from '@drawbridge/database';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './gen/prisma/client.js';

/** Models that hold nothing of one tenant. */
const SHARED = ['Outbox', 'Inbox'];

/** Columns that only the vault reads, by SQL of its own. */
const omit = { connection: { sealed: true, wrappedKey: true, masterKeyId: true } } as const;

/** In a burst a transaction waits for its turn as long as a call for its answer; by itself Prisma gives up after 2 s. */
const transactionOptions = { maxWait: 10_000, timeout: 10_000 };

const open = (adapter: PrismaPg) => new PrismaClient({ adapter, omit, transactionOptions });

export type Db = ReturnType<typeof open>;
export type ConnectionRow = Awaited<ReturnType<Db['connection']['findFirstOrThrow']>>;
export type Transaction = Parameters<Parameters<Db['$transaction']>[0]>[0];

export function openConnectionsDatabase(url: string): Promise<Database<Db>> {
  return openDatabase({
    url,
    schema: 'connections',
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    shared: SHARED,
    connect: (pool) => {
      const unscoped = open(new PrismaPg(pool, { schema: 'connections' }));
      return { unscoped, db: unscoped.$extends(tenancy(SHARED)) as unknown as Db };
    },
  });
}
