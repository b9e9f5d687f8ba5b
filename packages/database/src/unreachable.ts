/** Returns an error for the operator: the address of the database, without the password, and the cause. */
export function unreachable(url: string, cause: unknown): Error {
  const { message, code } = cause as { message?: string; code?: string };
  const place = URL.canParse(url) ? new URL(url) : undefined;
  const where = place ? `${place.hostname}:${place.port || '5432'}${place.pathname}` : 'the database';
  return new Error(`DATABASE_URL: ${where} can not be opened: ${message || code}`, { cause });
}
