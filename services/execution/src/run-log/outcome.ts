import { outcomeUnknown } from '@drawbridge/contracts';
import { type ActionFailure } from '@drawbridge/proto/drawbridge/execution/v1/actions';

/** The outcome of a run. It is stored under the idempotency key and replayed unchanged. */
export interface Outcome {
  /** The output of the action: a JSON object, serialized. */
  outputJson?: string;
  failure?: ActionFailure;
  /** Duration of the run, in milliseconds. */
  duration: number;
}

const { code, message, details } = outcomeUnknown();

/** The outcome if the process of a run exited or lost its lease after it may have called the provider. The action is never sent again. */
export const OUTCOME_UNKNOWN: Outcome = {
  failure: { code, message, details },
  duration: 0,
};
