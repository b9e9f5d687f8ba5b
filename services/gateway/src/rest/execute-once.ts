import { outcomeUnknown } from '@drawbridge/contracts';
import { type ActionOutcome, type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { LostCall } from '@drawbridge/rpc';
import { type Clients } from '../clients.js';

/** A duplicate waits 30 s for the first, a run takes 60 s: the answer comes from the service, not from this clock. */
const TIMEOUT_MS = 95_000;
const MAX_ASKS = 3;

/**
 * Hands a run to execution. Where the service was lost with the run in its hands nobody knows how it ended: with a key
 * another one is asked, which answers for the first and sends nothing again; without one that is the answer. Fails with
 * ACTION_FAILED (outcome_unknown) then, and with UNAVAILABLE only for what did not run or has a key to ask again with.
 */
export async function executeOnce(actions: Clients['actions'], request: ExecuteActionRequest): Promise<ActionOutcome> {
  for (let asks = 1; ; asks += 1) {
    try {
      return await actions.executeAction(request, { timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if (!(error instanceof LostCall)) throw error;
      if (request.idempotencyKey === undefined) throw outcomeUnknown();
      if (error.code !== 'UNAVAILABLE' || asks === MAX_ASKS) throw error;
    }
  }
}
