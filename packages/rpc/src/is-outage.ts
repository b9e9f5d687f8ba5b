/**
 * PostgreSQL's classes 08 (connection), 53 (resources) and 57P (shutdown), what its time limits say (57014, 55P03, 25P03),
 * Node's socket errors, our own UNAVAILABLE.
 */
const CODES = /^(08...|53...|57P0[1-5]|57014|55P03|25P03|ECONN[A-Z]+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UNAVAILABLE)$/;

/** Prisma's codes for connections and transactions that could not be had, and its drivers' words for the same. */
const PRISMA =
  /^(P100[128]|P1017|P2024|P2028|P2037|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/;

/** What pg rejects with when the server goes away or the pool is exhausted: it has no code. */
const MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)|Can't reach database/;

/** An error, or what Prisma keeps in its place: the driver's failure in `meta`, the database's in the `cause` of that. */
interface Failure {
  code?: unknown;
  /** PostgreSQL's, under one of Prisma's that says nothing (P2010, P2039). */
  originalCode?: unknown;
  /** The driver adapter's own word. */
  kind?: unknown;
  message?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
  /** Of our own errors. */
  details?: { reason?: unknown };
}

/** PostgreSQL's time limits: for a statement, for a lock, for an idle transaction. */
const TIME_LIMITS = /^(57014|55P03|25P03)$/;

/** Whether something failed because the database or a peer can't be reached now: the same may succeed later. */
export function isOutage(failure: unknown): boolean {
  return has(failure, ({ code, message, details }, names) => {
    // An outage that another service met while it made a change.
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
