const MAX_MESSAGE = 500;
const MAX_CODE = 100;

export interface ProviderFailure {
  status?: number;
  /** The provider's own code. */
  code?: string;
  retryable?: boolean;
  /** Seconds. */
  retryAfter?: number;
}

/** The third party refused or failed. `message` is its own, cut to 500 characters; `retryable`: the same call may succeed later. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;

  constructor(message: string, { status, code, retryable = false, retryAfter }: ProviderFailure = {}) {
    super(message.slice(0, MAX_MESSAGE));
    this.status = status;
    this.code = code?.slice(0, MAX_CODE);
    this.retryable = retryable;
    this.retryAfter = retryAfter;
  }
}
