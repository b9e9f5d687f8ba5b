/**
 * A failure that a task expects. Its message is stored with the job, so it must not contain a secret. Only the name and code of other errors are
 * stored.
 */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  /** Minimum delay of the next attempt in milliseconds. The retry schedule may set a longer delay. */
  readonly retryAfterMs: number;
  /** Ends the job without a further attempt. */
  readonly isFinal: boolean;

  constructor(message: string, { retryAfterMs = 0, isFinal = false } = {}) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.isFinal = isFinal;
  }
}
