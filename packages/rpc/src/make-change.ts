import { changeUnknown } from '@drawbridge/contracts';
import { currentContext } from './context.js';

/**
 * Awaits a change in the database. After it is committed, a failure of the current call must not read as if nothing had happened. Throws an error
 * with the reason outcome_unknown if `isUnknown` says that the change may have been committed. Outside of a call, or in one that only reads, the
 * failure passes unchanged, because the same work is retried.
 */
export async function makeChange<Result>(
  change: Promise<Result>,
  isUnknown: (failure: unknown) => boolean,
): Promise<Result> {
  try {
    const result = await change;
    const serving = currentContext()?.serving;
    if (serving?.mayChange) serving.hasChanged = true;
    return result;
  } catch (failure) {
    const context = currentContext();
    const isReading = !context || context.serving?.mayChange === false;
    throw isReading || !isUnknown(failure) ? failure : changeUnknown(context.requestId, failure);
  }
}
