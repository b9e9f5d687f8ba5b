import { PrismaPg } from '@prisma/adapter-pg';
import { referenceClock } from '@drawbridge/rpc';
import type pg from 'pg';
import { migrate, type PackageMigration } from './migrate.js';
import { guardCommits, guardedWrites } from './guard-writes.js';
import { readClock } from './read-clock.js';
import { acquirePool } from './shared-pool.js';
import { tenancy } from './tenancy.js';

export interface Database<Client> {
  /** Prisma, refusing any query on a tenant's table that does not name the organization. */
  db: Client;
  /** Prisma without that guard: for the few questions that come before an organization is known. */
  unscoped: Client;
  /** The same connections for plain SQL, which names each table with its schema. */
  pool: pg.Pool;
  /** Throws while PostgreSQL is away, and where this machine's clock differs from its own by more than two minutes. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions<Client> {
  url: string;
  /** The service's own PostgreSQL schema, named after it. Made if it is not there. */
  schema: string;
  /** Folder of `<stamp>_<name>/migration.sql`, applied in name order. */
  migrations: string;
  /** Of the packages that it is made of, applied after its own. */
  shipped?: readonly PackageMigration[];
  /** Models that hold nothing of a tenant. Every other model is guarded. */
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

/** In a burst a transaction waits for its turn as long as a call for its answer; by itself Prisma gives up after 2 s. */
const transactionOptions = { maxWait: 10_000, timeout: 10_000 };

/** Opens a service's database and brings its schema up to date; racing starters apply each migration once. */
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
