import { changeUnknown } from '@drawbridge/contracts';
import { currentContext } from './context.js';

/**
 * Waits for a change in the database. Once it is made, the failure of the call that is served must not read as if nothing had happened.
 * Throws an error with the reason outcome_unknown where `isUnknown` says of a failure that the change may have been made. Outside of a
 * call, and of one that only reads, the failure stays what it is: the same work is done again.
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
