export interface ProviderFailure {
  status?: number;
  /** The provider's own code. */
  code?: string;
  retryable?: boolean;
  /** In seconds. */
  retryAfter?: number;
  /** The origin that answered, after redirects. */
  answeredBy?: string;
}

/**
 * The provider refused or failed. `message` and `code` are its own and uncut: redact them before you cut them, because half a credential
 * is not recognised. `retryable` means that the same request may succeed later. It does not mean that the whole action can be repeated.
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
