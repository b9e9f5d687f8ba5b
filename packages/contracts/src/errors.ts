import { cutBytes, cutText } from './cut-text.js';
import { type SuspensionReason } from './sets.js';

/** Every error code of the public interface, with its default HTTP status. */
export const ERROR_STATUS = {
  VALIDATION_ERROR: 400,
  NO_UPDATES: 400,
  NO_OAUTH_APP: 400,
  MISSING_TOKEN: 400,
  MISSING_ID: 400,
  MISSING_FIELDS: 400,
  ACTION_FAILED: 400,
  CONNECTION_REQUIRED: 400,
  EXPIRED: 400,
  INVALID_MCP_SCOPES: 400,
  INVALID_CODE_EXECUTE_REQUEST: 400,
  EMAIL_NOT_CONFIGURED: 400,
  NOT_DROPDOWN: 400,
  NO_OPTIONS_FN: 400,
  OPTIONS_FAILED: 400,
  NOT_DYNAMIC: 400,
  NO_PROPS_FN: 400,
  RESOLVE_FAILED: 400,
  CONNECTION_NOT_FOUND: 404,
  INTEGRATION_NOT_FOUND: 404,
  UNAUTHENTICATED: 401,
  INVALID_TOKEN: 401,
  FORBIDDEN: 403,
  SCOPE_DENIED: 403,
  QUOTA_EXCEEDED: 403,
  CUSTOM_OAUTH_APP_PLAN_REQUIRED: 403,
  POLLING_INTERVAL_TOO_SHORT: 403,
  NOT_FOUND: 404,
  OAUTH_APP_NOT_FOUND: 404,
  TRIGGER_NOT_FOUND: 404,
  END_USER_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  DUPLICATE: 409,
  ALIAS_CONFLICT: 409,
  MCP_BEARER_DISABLED: 409,
  MCP_OAUTH_DISABLED: 409,
  MCP_STATIC_BEARER_INCOMPATIBLE: 409,
  MCP_BEARER_BLOCKS_PER_USER: 409,
  TENANT_OAUTH_APP_REQUIRED: 409,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  TIMEOUT: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The error that a caller receives: `{error, code, details}` with `status`. Its message never contains a secret. */
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

/** Maximum number of problems in an error. */
export const MAX_PROBLEMS = 100;
/**
 * Maximum size of all problems together. Errors are sent between services as gRPC trailers, which contain them several times and are limited to 64
 * KiB.
 */
const MAX_PROBLEM_BYTES = 6_000;
/** Maximum length of the path of a problem. A longer path is shortened. */
export const MAX_PATH_CHARACTERS = 200;

/**
 * Returns a VALIDATION_ERROR with each invalid key, such as `{'values.amount': 'must be a number'}`. Contains the first 100 problems, as far as they
 * fit.
 */
export function invalid(problems: Record<string, string>): ApiError {
  const named = fitting(Object.entries(problems).slice(0, MAX_PROBLEMS).map(readable));
  const fields = Object.fromEntries(named.map(([path, message]) => [path, { message }]));
  const summary = named.map(([path, message]) => `${path}: ${message}`);
  return new ApiError('VALIDATION_ERROR', summary.join('; '), { details: { fields } });
}

type Problem = [path: string, message: string];

/** Shortens the path and message of a problem. They quote input of a caller, in which keys can have any length and contain any characters. */
function readable([path, message]: Problem): Problem {
  return [cutText(path, MAX_PATH_CHARACTERS), cutBytes(message, MAX_PROBLEM_BYTES)];
}

function fitting(problems: Problem[]): Problem[] {
  let bytes = 0;
  return problems.filter(([path, message], index) => {
    bytes += Buffer.byteLength(path + message);
    return index === 0 || bytes <= MAX_PROBLEM_BYTES;
  });
}

/** A limit that no plan changes: `owner` (`an organization`) may have `most` `what` (`approval policies`). */
interface Limit {
  /** The key of the request that exceeds the limit. */
  field: string;
  owner: string;
  what: string;
  /** The number of rows, including those that the request writes. */
  used: number;
  most: number;
}

/** Throws VALIDATION_ERROR with each limit that is exceeded. Call it under a lock of the owner, in the transaction that writes. */
export function requireCount(...limits: readonly Limit[]): void {
  const exceeded = limits.filter(({ used, most }) => used > most);
  if (exceeded.length === 0) return;
  throw invalid(
    Object.fromEntries(exceeded.map(({ field, owner, what, most }) => [field, `${owner} has at most ${most} ${what}`])),
  );
}

export function notFound(what: string, id: string): ApiError {
  return new ApiError('NOT_FOUND', `${what} ${id} not found`);
}

/** Returns the error for a suspended resource, which can only be read, deleted and resumed. */
export function suspended(what: string, id: string, reason?: string | null): ApiError {
  const why = reason === ('plan' satisfies SuspensionReason) ? ': the plan allows no more' : '';
  return new ApiError('FORBIDDEN', `${what} ${id} is suspended${why}`, { details: { reason: 'suspended' } });
}

/** Returns the error for an exhausted quota of the plan: `used` of `limit`. */
export function quotaExceeded(what: string, { limit, used }: { limit: number; used: number }): ApiError {
  const message = `The plan allows ${limit} ${what}, and ${used} are used`;
  return new ApiError('QUOTA_EXCEEDED', message, { details: { limit, used } });
}

/**
 * Returns the error for a change without a response: the change may have been made, or may still be made. The error does not invite a retry, which
 * could make the change twice.
 */
export function changeUnknown(requestId: string, cause?: unknown): ApiError {
  const message = 'It is not known whether the change was made. Read what it concerns before you send it again.';
  const details = { requestId, reason: 'outcome_unknown', retryable: false };
  return new ApiError('INTERNAL', message, { details, cause });
}

/** Returns the error of an action with an unknown outcome. The caller decides whether to send it again. */
export function outcomeUnknown(): ApiError {
  const message =
    'The run was interrupted after the provider may have been asked; it is not known whether it took effect';
  return new ApiError('ACTION_FAILED', message, { details: { reason: 'outcome_unknown', retryable: false } });
}

/** An error in the form that a caller receives, as a value instead of an exception. */
export interface Refusal {
  status: number;
  error: string;
  code: string;
  details: Record<string, unknown>;
}

/** Returns the ApiError with which the attempt fails, or undefined if it succeeds. Rethrows other errors. */
export async function refused(attempt: () => unknown): Promise<Refusal | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, message, code, details } = error;
    return { status, error: message, code, details };
  }
}
