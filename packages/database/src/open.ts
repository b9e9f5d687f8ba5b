import { PrismaPg } from '@prisma/adapter-pg';
import { referenceClock } from '@drawbridge/rpc';
import type pg from 'pg';
import { migrate, type PackageMigration } from './migrate.js';
import { guardCommits, guardedWrites, tenancy } from './client-extensions.js';
import { acquirePool, readClock } from './shared-pool.js';

export interface Database<Client> {
  /** A Prisma client that refuses any query on a tenant's table without an organization. */
  db: Client;
  /** Prisma without that guard, for the few queries that run before the organization is known. */
  unscoped: Client;
  /** The same connections for plain SQL. Each statement must name its schema. */
  pool: pg.Pool;
  /** Throws while PostgreSQL is unavailable, or while this machine's clock differs from the database's by more than two minutes. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions<Client> {
  url: string;
  /** The service's own PostgreSQL schema, named after it. Created if missing. */
  schema: string;
  /** Folder of `<stamp>_<name>/migration.sql`, applied in name order. */
  migrations: string;
  /** Migrations of the packages that it uses, applied after its own. */
  shipped?: readonly PackageMigration[];
  /** Models without data of tenants. Every other model is guarded. */
  shared: readonly string[];
  /** `(options) => new PrismaClient(options)` of the service's own generated client. */
  client(options: ClientOptions): Client;
}

export interface ClientOptions {
  adapter: PrismaPg;
  transactionOptions: { maxWait: number; timeout: number };
}

export interface PrismaClientLike {
  $disconnect(): Promise<void>;
  $extends(extension: ReturnType<typeof tenancy> | typeof guardedWrites): unknown;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- overloaded in each generated client
  $transaction(...given: any[]): Promise<any>;
}

/** In a burst a transaction waits for a connection as long as a call waits for its answer. Prisma's default is 2 s. */
const transactionOptions = { maxWait: 10_000, timeout: 10_000 };

/** Opens a service's database and migrates its schema. Processes that start at once apply each migration once. */
export async function openDatabase<Client extends PrismaClientLike>({
  client,
  shared,
  ...place
}: DatabaseOptions<Client>): Promise<Database<Client>> {
  await migrate(place);
  const { pool, leave } = acquirePool(place.url);
  const plain = client({ adapter: new PrismaPg(pool, { schema: place.schema }), transactionOptions });
  const unscoped = plain.$extends(guardedWrites) as Client;
  const db = unscoped.$extends(tenancy(shared)) as Client;
  for (const one of [db, unscoped]) guardCommits(one);
  return {
    db,
    unscoped,
    pool,
    async ready() {
      await readClock(pool);
      referenceClock.requireAgreement();
    },
    close: async () => {
      await plain.$disconnect();
      await leave();
    },
  };
}
