import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, outcomeUnknown } from '@drawbridge/contracts';
import { type ActionFailure, type ActionOutcome } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { isOutage, LostCall } from '@drawbridge/rpc';

/** A duplicate waits 30 s for the first, a run takes 60 s: the answer comes from the service, not from this clock. */
const HOW = { timeoutMs: 95_000 };
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
  run: (how: typeof HOW) => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  let lostAt: number | undefined;
  for (;;) {
    try {
      return await run(HOW);
    } catch (error) {
      if (error instanceof LostCall) lostAt ??= performance.now();
      if (lostAt === undefined) throw error;
      if (idempotencyKey === undefined) throw outcomeUnknown();
      if (isRefusal(error)) throw outcomeUnknown(); // as of a key that was revoked since; what it asked for may have been done
      if (!isOutage(error)) throw error;
      if (performance.now() - lostAt > ASK_FOR_MS) throw outcomeUnknown();
      await sleep(PAUSE_MS);
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}

/** A run may also end at an input that the schema let through and the action could not. */
export function toFailure({ code, message, details }: ActionFailure): ApiError {
  return new ApiError(code === 'VALIDATION_ERROR' ? code : 'ACTION_FAILED', message, { details });
}
