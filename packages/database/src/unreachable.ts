/** What an operator reads when the database can't be opened: where it was looked for, without the password, and why not. */
export function unreachable(url: string, cause: unknown): Error {
  const { message, code } = cause as { message?: string; code?: string };
  const place = URL.canParse(url) ? new URL(url) : undefined;
  const where = place ? `${place.hostname}:${place.port || '5432'}${place.pathname}` : 'the database';
  return new Error(`DATABASE_URL: ${where} can not be opened: ${message || code}`, { cause });
}
