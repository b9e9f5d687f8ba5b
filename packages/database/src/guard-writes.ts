import { AsyncLocalStorage } from 'node:async_hooks';
import { isCutOff, isOutage, makeChange, requireInTime } from '@drawbridge/rpc';

/** A Prisma client, whose overloads differ from schema to schema. */
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

/** Set while an interactive transaction is open: its commit makes the changes, not its statements. */
const inTransaction = new AsyncLocalStorage<true>();

/**
 * A Prisma client extension: refuses any write of a call whose deadline has passed or whose caller has gone. A write by itself, outside of a
 * transaction, throws an error with the reason outcome_unknown where the connection ends before its answer.
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
 * Makes an interactive transaction of a call roll back where the call's deadline has passed or its caller has gone before the commit: the
 * caller was told that nothing happened, or that it is not known. Where the database goes away during the commit, the transaction throws
 * an error with the reason outcome_unknown.
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
