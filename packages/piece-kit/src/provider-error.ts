export interface ProviderFailure {
  status?: number;
  /** The provider's own code. */
  code?: string;
  retryable?: boolean;
  /** Seconds. */
  retryAfter?: number;
  /** The origin that answered, after redirects. */
  answeredBy?: string;
}

/**
 * The third party refused or failed. `message` and `code` are its own, whole: who shows them takes the credential out first and
 * cuts them then, for half a credential is one that nobody would recognise. `retryable`: the same request may succeed
 * later; whether an action may be run again, which could do twice what it did, is not for it to say.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;
  readonly answeredBy: string | undefined;

  constructor(message: string, { status, code, retryable = false, retryAfter, answeredBy }: ProviderFailure = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryable = retryable;
    this.retryAfter = retryAfter;
    this.answeredBy = answeredBy;
  }
}
