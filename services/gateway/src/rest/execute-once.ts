import { setTimeout as sleep } from 'node:timers/promises';
import { outcomeUnknown } from '@drawbridge/contracts';
import { type ActionOutcome, type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { isOutage, LostCall } from '@drawbridge/rpc';
import { type Clients } from '../clients.js';

/** A duplicate waits 30 s for the first, a run takes 60 s: the answer comes from the service, not from this clock. */
const TIMEOUT_MS = 95_000;
/** A run's lease is 15 s: by then another process says how it ended, if one is there. */
const ASK_FOR_MS = 20_000;
const PAUSE_MS = 250;

/**
 * Hands a run to execution. Where the service was lost with the run in its hands nobody knows how it ended: with a key
 * others are asked, which answer for the first and send nothing again; without one, or when nobody answers for as long as
 * a lease may last, that is the answer. Throws ACTION_FAILED (outcome_unknown) then, and UNAVAILABLE only for what
 * was never handed over.
 */
export async function executeOnce(actions: Clients['actions'], request: ExecuteActionRequest): Promise<ActionOutcome> {
  let lostAt: number | undefined;
  for (;;) {
    try {
      return await actions.executeAction(request, { timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if (error instanceof LostCall) lostAt ??= performance.now();
      if (lostAt === undefined) throw error;
      if (request.idempotencyKey === undefined) throw outcomeUnknown();
      if (!isOutage(error)) throw error;
      if (performance.now() - lostAt > ASK_FOR_MS) throw outcomeUnknown();
      await sleep(PAUSE_MS);
    }
  }
}
