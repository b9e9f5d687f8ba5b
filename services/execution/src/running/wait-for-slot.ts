import { QueueFullError, slotRefused } from '@drawbridge/turns';

/** Maximum wait for a slot. The wait and the following run must both end within the timeout of the request. */
const MAX_WAIT_MS = 10_000;
const RETRY_SECONDS = 5;

interface Wait {
  /** The noun of the error message: "Too many {runs} are active". */
  runs: string;
  signal?: AbortSignal;
  maxWaitMs?: number;
}

/**
 * Acquires a slot of a sandbox within a limited time. Throws RATE_LIMITED if too many runs wait or no slot becomes free in time, and TIMEOUT if
 * `signal` aborts.
 */
export async function waitForSlot<Slot>(
  acquire: (signal: AbortSignal) => Promise<Slot>,
  { runs, signal, maxWaitMs = MAX_WAIT_MS }: Wait,
): Promise<Slot> {
  const waited = AbortSignal.timeout(maxWaitMs);
  const both = signal ? AbortSignal.any([signal, waited]) : waited;
  return acquire(both).catch((error: unknown) => {
    const isLate = waited.aborted && !signal?.aborted;
    const cause = isLate ? new QueueFullError('The wait was too long') : error;
    throw slotRefused(cause, `Too many ${runs} are active. Try again in ${RETRY_SECONDS} s`, RETRY_SECONDS);
  });
}
