import { outcomeUnknown } from '@drawbridge/contracts';
import { type ActionFailure, type ActionOutcome } from '@drawbridge/proto/drawbridge/execution/v1/actions';

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

export function toActionOutcome(executionId: string, outcome: Outcome, replayed: boolean): ActionOutcome {
  const { outputJson = '{}', failure, duration } = outcome;
  const answer = failure
    ? { $case: 'failure' as const, value: failure }
    : { $case: 'outputJson' as const, value: outputJson };
  return { outcome: answer, duration, replayed, executionId };
}
