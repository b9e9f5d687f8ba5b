// PostgreSQL classes 08 (connection), 53 (resources) and 57P (shutdown), Node's socket errors, Prisma's connection
// errors and our own UNAVAILABLE.
const CODES =
  /^(08...|53...|57P0[1-5]|ECONN[A-Z]+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|P100[128]|P1017|P2024|P2037|UNAVAILABLE)$/;

// What pg rejects with when the server goes away or the pool is exhausted: it has no code.
const MESSAGES = /^(Connection terminated|timeout exceeded when trying to connect)/;

/** Whether a handler failed for its surroundings' sake: such an event is no poison and must not become a dead letter. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && CODES.test(error.code)) return true;
  return MESSAGES.test(error.message) || isOutage(error.cause);
}
