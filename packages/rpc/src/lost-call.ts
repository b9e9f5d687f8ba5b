import { ApiError, type ErrorCode } from '@drawbridge/contracts';

interface LostCallOptions {
  /** Whether the call may have changed something. Then the error must not tell the caller to try again. */
  mayHaveChanged: boolean;
  cause?: unknown;
}

/**
 * The other service may have received the call, but no answer arrived: the service crashed or hung, or the caller disconnected. Any other
 * UNAVAILABLE or TIMEOUT is an answer of that service, or means that it was never reached.
 */
export class LostCall extends ApiError {
  readonly mayHaveChanged: boolean;

  constructor(code: ErrorCode, message: string, { mayHaveChanged, cause }: LostCallOptions) {
    super(code, message, { cause });
    this.mayHaveChanged = mayHaveChanged;
  }
}
