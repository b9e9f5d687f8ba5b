import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, outcomeUnknown } from '@drawbridge/contracts';
import { type ActionFailure, type ActionOutcome } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { type CallOptions, currentContext, isOutage, LostCall } from '@drawbridge/rpc';

/**
 * Timeout of the first call. Must exceed the time for which a request waits for an earlier request with its idempotency key (30 s) plus that of a run
 * (60 s), so that the service responds before this timeout.
 */
const FIRST_MS = 95_000;
/** Must exceed the sum of the wait for a slot (10 s) and a program of advanced code (310 s). */
const PROGRAM_MS = 325_000;
/** Must exceed the lease of a run (15 s), after which another process can report the outcome of the run. */
const ASK_FOR_MS = 20_000;
const PAUSE_MS = 250;

/**
 * Sends a run to execution. If the service is lost during the run, the outcome is unknown. With an idempotency key the call is retried: execution
 * then reports the outcome of the first run and sends nothing again. Without a key, or without a response before a lease must have expired, throws
 * ACTION_FAILED (outcome_unknown). Throws UNAVAILABLE only if execution never received the run.
 */
export async function runOnce(
  idempotencyKey: string | undefined,
  run: (how: CallOptions) => Promise<ActionOutcome>,
  integrationName = '',
): Promise<ActionOutcome> {
  const firstMs = integrationName === 'advanced-code' ? PROGRAM_MS : FIRST_MS;
  let lostAt: number | undefined;
  for (;;) {
    try {
      return await run({ timeoutMs: lostAt === undefined ? firstMs : leftOf(lostAt) });
    } catch (error) {
      if (error instanceof LostCall) lostAt ??= performance.now();
      if (lostAt === undefined) throw error;
      // If the caller disconnected or this process shuts down, the run was canceled. A retry could start it again.
      const isOver = currentContext()?.signal.aborted ?? false;
      if (idempotencyKey === undefined || isOver) throw outcomeUnknown();
      if (isRefusal(error)) throw outcomeUnknown(); // for example, the API key was revoked after the first call, which may have run the action
      if (!isAway(error)) throw error;
      if (leftOf(lostAt) <= 0) throw outcomeUnknown();
      await sleep(PAUSE_MS);
    }
  }
}

/** TIMEOUT counts as an outage: if every process hangs, none can report the outcome of the run. */
function isAway(error: unknown): boolean {
  return isOutage(error) || (error instanceof ApiError && error.code === 'TIMEOUT');
}

const leftOf = (lostAt: number): number => lostAt + ASK_FOR_MS - performance.now();

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}

/** Converts a failed run to an error. VALIDATION_ERROR is preserved, because an action may reject input that its schema accepts. */
export function toFailure({ code, message, details }: ActionFailure): ApiError {
  return new ApiError(code === 'VALIDATION_ERROR' ? code : 'ACTION_FAILED', message, { details });
}
