import { PrismaPg } from '@prisma/adapter-pg';
import { referenceClock } from '@drawbridge/rpc';
import type pg from 'pg';
import { migrate, type PackageMigration } from './migrate.js';
import { guardCommits, guardedWrites, tenancy, type Transactional } from './client-extensions.js';
import { acquirePool, readClock } from './shared-pool.js';

export interface Database<Client> {
  /** A Prisma client that rejects any query without `orgId` on a model with data of tenants. */
  db: Client;
  /** A Prisma client that accepts queries without `orgId`, for the few queries before the organization is known. */
  unscoped: Client;
  /** The connection pool of both clients, for plain SQL. Each statement must contain the name of its schema. */
  pool: pg.Pool;
  /** Throws if PostgreSQL is unavailable, or if this machine's clock differs from the database's by more than two minutes. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions<Client> {
  url: string;
  /** The PostgreSQL schema of the service, which has the name of the service. It is created if missing. */
  schema: string;
  /** The folder of `<stamp>_<name>/migration.sql`, applied in the order of names. */
  migrations: string;
  /** Migrations of the packages that the service uses, applied after its own. */
  shipped?: readonly PackageMigration[];
  /** Models without data of tenants. Queries on every other model must filter by `orgId`. */
  shared: readonly string[];
  /** Creates the service's own generated client: `(options) => new PrismaClient(options)`. */
  client(options: ClientOptions): Client;
}

export interface ClientOptions {
  adapter: PrismaPg;
  transactionOptions: { maxWait: number; timeout: number };
}

export interface PrismaClientLike extends Transactional {
  $disconnect(): Promise<void>;
  $extends(extension: ReturnType<typeof tenancy> | typeof guardedWrites): unknown;
}

/**
 * The time limits of transactions, equal to the time for which a call waits for its response. With Prisma's default of 2 s to get a connection,
 * transactions would fail in a burst of calls.
 */
const transactionOptions = { maxWait: 10_000, timeout: 10_000 };

/** Opens the database of a service and migrates its schema. Processes that start at the same time apply each migration once. */
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
