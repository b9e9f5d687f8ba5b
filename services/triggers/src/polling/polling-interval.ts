import { ApiError, invalid } from '@drawbridge/contracts';
import { type TriggerKind } from '@drawbridge/piece-kit';

const DEFAULT_MINUTES = 5;

interface Wanted {
  kind: TriggerKind;
  /** pollingIntervalMinutes; its bounds are checked already. */
  asked: number | undefined;
  /** The plan's minimum; null: the plan sets none. */
  minimum: number | null;
}

/**
 * Returns the minutes between two polls; null if the trigger is not polled. Throws VALIDATION_ERROR for an interval of a trigger that is not polled,
 * and POLLING_INTERVAL_TOO_SHORT.
 */
export function requirePollingInterval({ kind, asked, minimum }: Wanted): number | null {
  if (kind !== 'polling') {
    if (asked === undefined) return null;
    throw invalid({ pollingIntervalMinutes: `is for triggers that are polled; this is of the kind ${kind}` });
  }
  const least = minimum ?? 1;
  if (asked === undefined) return Math.max(least, DEFAULT_MINUTES);
  if (asked >= least) {
    // Spec silent: the interval is rounded up to whole minutes, so that the provider is never polled more often than requested.
    return Math.ceil(asked);
  }
  throw new ApiError(
    'POLLING_INTERVAL_TOO_SHORT',
    `The plan allows a poll each ${least} minutes at most, not each ${asked}`,
    { details: { minimumMinutes: least, pollingIntervalMinutes: asked } },
  );
}

/** Returns the interval of a source whose plan may have changed since it was enabled: the original one as soon as the plan allows it again. */
export function minutesNow(minutes: number, minimum: number | null): number {
  return Math.max(minutes, minimum ?? 1);
}
