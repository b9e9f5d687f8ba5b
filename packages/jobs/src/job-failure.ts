/**
 * A failure that a task expects. Its message is stored with the job, so it must not contain a secret. Of other errors only name and code are stored.
 */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  /** Minimum time before the next attempt, even if the schedule has an earlier one. */
  readonly retryAfterMs: number;
  /** Ends the job without a further attempt. */
  readonly isFinal: boolean;

  constructor(message: string, { retryAfterMs = 0, isFinal = false } = {}) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.isFinal = isFinal;
  }
}
