import { AsyncLocalStorage } from 'node:async_hooks';
import { isCutOff, isOutage, makeChange, requireInTime } from '@drawbridge/rpc';

/** A Prisma client. Its overloads differ between schemas. */
export interface Transactional {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- overloaded in each generated client
  $transaction(...given: any[]): Promise<any>;
}

interface Operation {
  args: unknown;
  query(args: unknown): Promise<unknown>;
}

/** A raw query. Prisma passes the parts of a tagged template. */
interface RawQuery extends Operation {
  args: { strings: readonly string[] };
}

interface ModelOperation extends Operation {
  operation: string;
}

type Json = Record<string, unknown>;

const READING = /^(find|count|aggregate|groupBy)/;
const WRITING_SQL = /^\s*(INSERT|UPDATE|DELETE|WITH)\b/;

/** Set during an interactive transaction. A statement in it that fails has changed nothing, because only the commit makes changes permanent. */
const inTransaction = new AsyncLocalStorage<true>();

/**
 * A Prisma client extension that rejects writes of a call after its deadline, or after its caller has disconnected. A write outside of a transaction
 * throws an error with the reason outcome_unknown if the connection is lost before the response.
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
 * Makes an interactive transaction roll back if the deadline of its call passes or its caller disconnects before the commit, because the caller has
 * already received a failure or a timeout. Throws an error with the reason outcome_unknown if the database becomes unavailable during the commit.
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

/** A Prisma client extension that rejects queries without `orgId`, except on the `shared` models, which contain no data of tenants. */
export function tenancy(shared: readonly string[]) {
  return {
    name: 'tenancy',
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }: ModelOperation & { model: string }): Promise<unknown> {
          if (!shared.includes(model)) requireOrgId(model, operation, (args ?? {}) as Json);
          return query(args);
        },
      },
    },
  };
}

export function requireOrgId(model: string, operation: string, args: Json): void {
  const places = operation.startsWith('create') ? [args['data']].flat() : [args['where']];
  if (places.length > 0 && places.every(namesOrgId)) return;
  throw new Error(`${model}.${operation} must filter by orgId`);
}

/** Returns whether a condition is `{orgId: …}`, or has a compound key that contains it: `{orgId_slug: {orgId: …, slug: …}}`. */
function namesOrgId(place: unknown): boolean {
  if (typeof place !== 'object' || place === null) return false;
  const json = place as Json;
  if (typeof json['orgId'] === 'string') return true;
  return Object.entries(json).some(
    ([key, inner]) => key !== 'NOT' && typeof (inner as Json | null)?.['orgId'] === 'string',
  );
}
