import { ApiError, type ErrorCode } from '@drawbridge/contracts';

interface LostCallOptions {
  /** Whether the call may have changed something. Then its caller must not be told to try again. */
  mayHaveChanged: boolean;
  cause?: unknown;
}

/**
 * The other service may have had the call, and its answer did not come: it died, hung, or was left. Any other UNAVAILABLE
 * or TIMEOUT is that service's own word, or says that it was never reached.
 */
export class LostCall extends ApiError {
  readonly mayHaveChanged: boolean;

  constructor(code: ErrorCode, message: string, { mayHaveChanged, cause }: LostCallOptions) {
    super(code, message, { cause });
    this.mayHaveChanged = mayHaveChanged;
  }
}
