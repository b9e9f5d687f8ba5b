/** The types of the error details that programs often need, by error code. Other codes also have details: see the API reference. */
export interface ErrorDetails {
  VALIDATION_ERROR: { fields?: Record<string, { message: string }> };
  ACTION_FAILED: {
    provider?: { status?: number; code?: string; message?: string };
    retryable?: boolean;
    reason?: string;
  };
  QUOTA_EXCEEDED: { limit?: number; used?: number };
  POLLING_INTERVAL_TOO_SHORT: { minimumMinutes?: number };
  FORBIDDEN: { policyId?: string; reasons?: string[]; reason?: string };
}

/** The type of the details of an error code. A response may contain further keys. */
export type DetailsOf<Code extends string> = Record<string, unknown> &
  (Code extends keyof ErrorDetails ? ErrorDetails[Code] : unknown);

/** The parts of an error response that an `ApiError` stores. */
export interface Refusal<Code extends string> {
  code: Code;
  message: string;
  status: number;
  details: DetailsOf<Code>;
  headers: Headers;
}

/**
 * An error response of the API. Each code has its own class: `NotFoundError`, `ValidationError`, `RateLimitedError`. A code that this
 * version of the SDK does not know is an `ApiError` itself.
 */
export class ApiError<Code extends string = string> extends Error {
  /** The error code, such as `NOT_FOUND`. Programs should compare the code, because the message may change. */
  readonly code: Code;
  /** The HTTP status of the response. */
  readonly status: number;
  readonly details: DetailsOf<Code>;
  /** The headers of the response, such as `Retry-After`. */
  readonly headers: Headers;

  constructor(refusal: Refusal<Code>) {
    super(refusal.message);
    this.name = new.target.name;
    this.code = refusal.code;
    this.status = refusal.status;
    this.details = refusal.details;
    this.headers = refusal.headers;
  }
}

/** No complete response arrived: the connection was refused or was closed early. `cause` is the error of `fetch`. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** No response arrived within `timeoutMs`. */
export class RequestTimeoutError extends Error {
  override readonly name = 'RequestTimeoutError';
}
