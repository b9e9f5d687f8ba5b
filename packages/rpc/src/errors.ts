import { ApiError, changeUnknown, cutText, type ErrorCode, type ServiceName } from '@drawbridge/contracts';
import { type Logger } from './log.js';

const MAX_NAME = 100;
const MAX_FRAMES = 12;
const MAX_LINES = 50;
const FRAME = /^\s+at .{1,400}:\d+:\d+\)?$/;

interface CallInfo {
  call: string;
  requestId: string;
  log: Logger;
}

/**
 * Converts any failure to an error that the caller may see. An unexpected error is logged here, once, and becomes an INTERNAL error without its
 * message.
 */
export function toApiError(error: unknown, happening: CallInfo): ApiError {
  // A lost call becomes an ordinary error for the caller of this call, because the class of an error is not sent over gRPC either.
  if (error instanceof LostCall)
    return error.mayHaveChanged
      ? changeUnknown(happening.requestId, error)
      : new ApiError(error.code, error.message, { cause: error });
  if (error instanceof ApiError) return error;
  if (isUniqueViolation(error)) return duplicate(error);
  const { call, requestId, log } = happening;
  if (isOutage(error)) {
    log.warn({ call, requestId, error: describeError(error) }, 'a dependency is unavailable');
    return new ApiError('UNAVAILABLE', 'A dependency is unavailable; try again', { cause: error });
  }
  log.error({ call, requestId, error: describeError(error) }, 'unexpected error');
  return new ApiError('INTERNAL', 'Something went wrong on our side', { details: { requestId }, cause: error });
}

export function forbiddenCaller(from: ServiceName, call: string): ApiError {
  return new ApiError('FORBIDDEN', `${from} is not allowed to call ${call}`);
}

export function missingCaller(): ApiError {
  return new ApiError('UNAUTHENTICATED', 'This call needs a caller');
}

/**
 * Returns the name, code and stack frames of an error. Omits its message: a message of a database or a provider may quote input, and may contain
 * lines that look like stack frames.
 */
export function describeError(error: unknown): { name: string; code?: string; frames?: string } {
  if (!(error instanceof Error)) return { name: typeof error };
  const inner = error.cause instanceof Error ? ` < ${error.cause.name}` : '';
  const code = codeOf(error);
  return {
    name: cutText(error.name + inner, MAX_NAME),
    code: code && cutText(code, MAX_NAME),
    frames: framesOf(error),
  };
}

function framesOf({ stack, message }: Error): string | undefined {
  if (typeof stack !== 'string') return undefined;
  const said = stack.indexOf(message);
  // The message was changed after the stack was captured, so the lines of the message cannot be separated from the frames.
  if (said < 0) return undefined;
  const lines = stack.slice(said + message.length).split('\n', MAX_LINES);
  return lines
    .filter((line) => FRAME.test(line))
    .slice(0, MAX_FRAMES)
    .join('\n');
}

function isUniqueViolation(error: unknown): error is UniqueViolation {
  const code = codeOf(error);
  return code === 'P2002' || code === '23505';
}

/** Returns the error for a violated unique constraint. Prisma's error names the model, and the error of its driver adapter names the columns. */
function duplicate({ meta, ...error }: UniqueViolation): ApiError {
  const model = (meta?.modelName ?? 'Resource').replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const columns = meta?.driverAdapterError?.cause?.constraint?.fields ?? [];
  const own = columns.map((column) => column.replaceAll('"', '')).filter((column) => column !== 'org_id');
  const which = own.length > 0 ? ` with this ${own.at(-1)!.replaceAll('_', ' ')}` : '';
  return new ApiError('DUPLICATE', `${model}${which} already exists`, { cause: error });
}

interface UniqueViolation extends Error {
  meta?: { modelName?: string; driverAdapterError?: { cause?: { constraint?: { fields?: string[] } } } };
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/**
 * Returns the message for the operator when a process fails to start: the message of the error, which states what to do, or the stack if the error is
 * a bug in Drawbridge.
 */
export function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOurs = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return isOurs ? (error.stack ?? error.message) : error.message;
}

interface LostCallOptions {
  /** Set if the call may have changed something. The error must then not invite a retry. */
  mayHaveChanged: boolean;
  cause?: unknown;
}

/**
 * Thrown for a call that another service may have received, but that received no response: the service crashed or hung, or the caller disconnected.
 * Any other UNAVAILABLE or TIMEOUT error is a response of that service, or means that the call never reached it.
 */
export class LostCall extends ApiError {
  readonly mayHaveChanged: boolean;

  constructor(code: ErrorCode, message: string, { mayHaveChanged, cause }: LostCallOptions) {
    super(code, message, { cause });
    this.mayHaveChanged = mayHaveChanged;
  }
}

/**
 * Error codes of an outage: PostgreSQL's classes 08 (connection), 53 (resources) and 57P (shutdown), its time limits (57014, 55P03, 25P03), a
 * server that became a replica (25006), socket errors of Node.js, and the code UNAVAILABLE of an ApiError.
 */
const CODES =
  /^(08...|53...|57P0[1-5]|57014|55P03|25P03|25006|ECONN[A-Z]+|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UNAVAILABLE)$/;

/** Prisma's codes for failed connections and transactions, and the names that its driver adapters use for them. */
const PRISMA =
  /^(P100[128]|P1017|P2024|P2028|P2037|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/;

/** Errors of pg without a code: the server closed the connection, or the pool is exhausted. */
const MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)|Can't reach database/;

/**
 * The properties of errors that `has` searches. Prisma wraps the error of its driver adapter in `meta`, which wraps the error of the database in
 * `cause`.
 */
interface Failure {
  code?: unknown;
  /** PostgreSQL's code, under a generic code of Prisma (P2010, P2039). */
  originalCode?: unknown;
  /** The driver adapter's name for the failure. */
  kind?: unknown;
  message?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
  /** The `details` of an ApiError. */
  details?: { reason?: unknown };
}

/** PostgreSQL's time limits for a statement, a lock and an idle transaction. */
const TIME_LIMITS = /^(57014|55P03|25P03)$/;

/** Returns whether the failure is an outage of the database or a peer, so that a retry may succeed later. */
export function isOutage(failure: unknown): boolean {
  return has(failure, ({ code, message, details }, names) => {
    // Another service had an outage during a change.
    if (code === 'INTERNAL' && details?.reason === 'outcome_unknown') return true;
    if (names.some((name) => CODES.test(name) || PRISMA.test(name))) return true;
    return typeof message === 'string' && MESSAGES.test(message);
  });
}

/** Codes of a connection that was lost after a statement may have been sent on it. */
const CUT_OFF = /^(0800[367]|57P0[12]|ECONNRESET|EPIPE|ETIMEDOUT|P1017|ConnectionClosed|SocketTimeout)$/;
const CUT_OFF_MESSAGES = /^(Connection terminated(?! due to connection timeout)|Query read timeout)/;

/**
 * Returns whether a statement may have been executed although it failed: the connection was lost, or the client stopped waiting, before the response.
 */
export function isCutOff(failure: unknown): boolean {
  return has(failure, ({ message }, names) => {
    if (names.some((name) => CUT_OFF.test(name))) return true;
    return typeof message === 'string' && CUT_OFF_MESSAGES.test(message);
  });
}

/**
 * Returns whether a time limit of PostgreSQL ended the statement. The database may be overloaded, or this one statement may always take too long.
 * Only the results of other statements distinguish the two causes.
 */
export function isTimeLimit(failure: unknown): boolean {
  return has(failure, (_failure, names) => names.some((name) => TIME_LIMITS.test(name)));
}

function has(failure: unknown, sought: (failure: Failure, names: string[]) => boolean): boolean {
  if (typeof failure !== 'object' || failure === null) return false;
  const { code, originalCode, kind, cause, meta }: Failure = failure;
  const names = [code, originalCode, kind].filter((name) => typeof name === 'string');
  return sought(failure, names) || has(cause, sought) || has(meta?.driverAdapterError, sought);
}
