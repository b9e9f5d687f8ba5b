/**
 * PostgreSQL's classes 08 (connection), 53 (resources) and 57P (shutdown), its time limits (57014, 55P03, 25P03), Node's socket errors, our
 * UNAVAILABLE.
 */
const CODES = /^(08...|53...|57P0[1-5]|57014|55P03|25P03|ECONN[A-Z]+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UNAVAILABLE)$/;

/** Prisma's codes for failed connections and transactions, and the names that its driver adapters use for them. */
const PRISMA =
  /^(P100[128]|P1017|P2024|P2028|P2037|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/;

/** Errors of pg without a code: the server closed the connection, or the pool is exhausted. */
const MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)|Can't reach database/;

/** An error, or Prisma's wrapper of one: the driver's failure in `meta`, the database's failure in its `cause`. */
interface Failure {
  code?: unknown;
  /** PostgreSQL's code, under a generic code of Prisma (P2010, P2039). */
  originalCode?: unknown;
  /** The driver adapter's name for the failure. */
  kind?: unknown;
  message?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
  /** Set in our own errors. */
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

/** Failures of a connection that may have carried a statement. */
const CUT_OFF = /^(0800[367]|57P0[12]|ECONNRESET|EPIPE|ETIMEDOUT|P1017|ConnectionClosed|SocketTimeout)$/;
const CUT_OFF_MESSAGES = /^(Connection terminated(?! due to connection timeout)|Query read timeout)/;

/** Returns whether a statement may have been executed, because the connection ended, or the client stopped waiting, before its answer. */
export function isCutOff(failure: unknown): boolean {
  return has(failure, ({ message }, names) => {
    if (names.some((name) => CUT_OFF.test(name))) return true;
    return typeof message === 'string' && CUT_OFF_MESSAGES.test(message);
  });
}

/**
 * Returns whether a time limit of PostgreSQL ended the statement. The database may be overloaded, or this one statement may always
 * take too long: only what happens to other statements tells these two apart.
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
