/**
 * Thrown by a task that expected its failure. The message is kept with the job, so it must not hold a secret; of any
 * other error only name and code are.
 */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  /** No attempt before this time has passed, however soon the schedule has one. */
  readonly retryAfterMs: number;
  /** No further attempt. */
  readonly isFinal: boolean;

  constructor(message: string, { retryAfterMs = 0, isFinal = false } = {}) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.isFinal = isFinal;
  }
}
