import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, outcomeUnknown } from '@drawbridge/contracts';
import { type ActionFailure, type ActionOutcome } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { type CallOptions, currentContext, isOutage, LostCall } from '@drawbridge/rpc';

/** A duplicate waits 30 s for the first, a run takes 60 s: the answer comes from the service, not from this clock. */
const FIRST_MS = 95_000;
/** A run's lease is 15 s: by then another process says how it ended, if one is there. */
const ASK_FOR_MS = 20_000;
const PAUSE_MS = 250;

/**
 * Hands a run to execution. Where the service was lost with the run in its hands nobody knows how it ended: with a key
 * others are asked, which answer for the first and send nothing again; without one, or when nobody answers for as long as
 * a lease may last, that is the answer. Throws ACTION_FAILED (outcome_unknown) then, and UNAVAILABLE only for what
 * was never handed over.
 */
export async function runOnce(
  idempotencyKey: string | undefined,
  run: (how: CallOptions) => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  let lostAt: number | undefined;
  for (;;) {
    try {
      return await run({ timeoutMs: lostAt === undefined ? FIRST_MS : leftOf(lostAt) });
    } catch (error) {
      if (error instanceof LostCall) lostAt ??= performance.now();
      if (lostAt === undefined) throw error;
      // Another try for a caller that is gone, or in a process that ends, could begin what was canceled.
      const isOver = currentContext()?.signal.aborted ?? false;
      if (idempotencyKey === undefined || isOver) throw outcomeUnknown();
      if (isRefusal(error)) throw outcomeUnknown(); // as of a key that was revoked since; what it asked for may have been done
      if (!isAway(error)) throw error;
      if (leftOf(lostAt) <= 0) throw outcomeUnknown();
      await sleep(PAUSE_MS);
    }
  }
}

/** Also where every process hangs: none of them takes the call, and none says how the run ended. */
function isAway(error: unknown): boolean {
  return isOutage(error) || (error instanceof ApiError && error.code === 'TIMEOUT');
}

const leftOf = (lostAt: number): number => lostAt + ASK_FOR_MS - performance.now();

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}

/** A run may also end at an input that the schema let through and the action could not. */
export function toFailure({ code, message, details }: ActionFailure): ApiError {
  return new ApiError(code === 'VALIDATION_ERROR' ? code : 'ACTION_FAILED', message, { details });
}
