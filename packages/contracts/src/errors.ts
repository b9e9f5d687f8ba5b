/** Every error code of the public interface, with the HTTP status it answers unless a throw says otherwise. */
export const ERROR_STATUS = {
  VALIDATION_ERROR: 400,
  NO_UPDATES: 400,
  ACTION_FAILED: 400,
  CONNECTION_REQUIRED: 400,
  CONNECTION_NOT_FOUND: 404,
  INTEGRATION_NOT_FOUND: 404,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  DUPLICATE: 409,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  TIMEOUT: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** What a caller sees of a refusal: `{error, code, details}` with `status`. Messages never carry a secret. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly details: Record<string, unknown>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: { status?: number; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = options.status ?? ERROR_STATUS[code];
    this.details = options.details ?? {};
  }
}

/** Nobody mends more at once, and an answer must fit into the headers of a call. */
const MOST_PROBLEMS = 50;

/** A VALIDATION_ERROR that names each offending key: `{'values.amount': 'must be a number'}`. */
export function invalid(problems: Record<string, string>): ApiError {
  const named = Object.entries(problems).slice(0, MOST_PROBLEMS);
  const fields = Object.fromEntries(named.map(([path, message]) => [path, { message }]));
  const summary = named.map(([path, message]) => `${path}: ${message}`);
  return new ApiError('VALIDATION_ERROR', summary.join('; '), { details: { fields } });
}

export function notFound(what: string, id: string): ApiError {
  return new ApiError('NOT_FOUND', `${what} ${id} not found`);
}
