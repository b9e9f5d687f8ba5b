import { changeUnknown } from '@drawbridge/contracts';
import { currentContext, isOutage, requireInTime } from '@drawbridge/rpc';

/** A Prisma client, whose overloads differ from schema to schema. */
interface Transactional {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- overloaded in each generated client
  $transaction(...given: any[]): Promise<any>;
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
    if (typeof work !== 'function') return begin(work, ...options);
    let commits = false;
    const inTime = async (tx: unknown): Promise<unknown> => {
      const result: unknown = await work(tx);
      requireInTime();
      commits = true;
      return result;
    };
    return begin(inTime, ...options).catch((error: unknown) => {
      throw commits && isOutage(error) ? unknownToCaller(error) : error;
    });
  };
  Object.defineProperty(client, '$transaction', { value: guarded });
}

/** Outside of a call the error stays what it is: background work tries again. */
function unknownToCaller(error: unknown): unknown {
  const context = currentContext();
  return context ? changeUnknown(context.requestId, error) : error;
}
