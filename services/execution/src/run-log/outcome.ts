import { outcomeUnknown } from '@drawbridge/contracts';
import { type ActionFailure } from '@drawbridge/proto/drawbridge/execution/v1/actions';

/** How a run ended: what is stored under its idempotency key and replayed word for word. */
export interface Outcome {
  /** The action's output, a JSON object as text. */
  outputJson?: string;
  failure?: ActionFailure;
  /** Milliseconds. */
  duration: number;
}

const { code, message, details } = outcomeUnknown();

/** The process died, or lost touch for longer than its lease, after the provider may have been asked. Never sent again. */
export const OUTCOME_UNKNOWN: Outcome = {
  failure: { code, message, details },
  duration: 0,
};
