import { AsyncLocalStorage } from 'node:async_hooks';
import { isCutOff, isOutage, makeChange, requireInTime } from '@drawbridge/rpc';

/** A Prisma client. Its overloads differ between schemas. */
interface Transactional {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- overloaded in each generated client
  $transaction(...given: any[]): Promise<any>;
}

interface Operation {
  args: unknown;
  query(args: unknown): Promise<unknown>;
}

/** Prisma passes the parts of a tagged template. */
interface RawQuery extends Operation {
  args: { strings: readonly string[] };
}

interface ModelOperation extends Operation {
  operation: string;
}

const READING = /^(find|count|aggregate|groupBy)/;
const WRITING_SQL = /^\s*(INSERT|UPDATE|DELETE|WITH)\b/;

/** Set during an interactive transaction: its commit makes the changes, not its statements. */
const inTransaction = new AsyncLocalStorage<true>();

/**
 * A Prisma client extension that refuses writes of a call whose deadline has passed or whose caller has disconnected. A write outside of a
 * transaction throws outcome_unknown if the connection ends before its answer.
 */
export const guardedWrites = {
  name: 'guarded-writes',
  query: {
    $executeRaw: write,
    $executeRawUnsafe: write,
    $queryRaw: (one: RawQuery): Promise<unknown> =>
      WRITING_SQL.test(one.args.strings[0] ?? '') ? write(one) : one.query(one.args),
    $allModels: {
      $allOperations: ({ operation, ...one }: ModelOperation): Promise<unknown> =>
        READING.test(operation) ? one.query(one.args) : write(one),
    },
  },
};

async function write({ args, query }: Operation): Promise<unknown> {
  requireInTime();
  if (inTransaction.getStore()) return query(args);
  return makeChange(query(args), isCutOff);
}

/**
 * Makes an interactive transaction roll back if the deadline of its call passes or the caller disconnects before the commit: the caller has already
 * seen a failure or a timeout. Throws outcome_unknown if the database becomes unavailable during the commit.
 */
export function guardCommits(client: Transactional): void {
  const begin = client.$transaction.bind(client);
  const guarded: Transactional['$transaction'] = async (work, ...options) => {
    requireInTime();
    if (typeof work !== 'function') return makeChange(begin(work, ...options), isCutOff);
    let commits = false;
    const inTime = async (tx: unknown): Promise<unknown> => {
      const result: unknown = await inTransaction.run(true, async () => work(tx));
      requireInTime();
      commits = true;
      return result;
    };
    return makeChange(begin(inTime, ...options), (failure) => commits && isOutage(failure));
  };
  Object.defineProperty(client, '$transaction', { value: guarded });
}
