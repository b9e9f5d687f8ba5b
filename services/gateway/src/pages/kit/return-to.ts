const HOME = '/account';
const MAX_CHARACTERS = 2_000;

/** Returns the path to redirect to after sign-in: a path of ours, or the account. Never another site, whatever a link contains. */
export function returnTo(given: unknown): string {
  if (typeof given !== 'string' || given.length > MAX_CHARACTERS || !isOurs(given)) return HOME;
  const { pathname, search } = new URL(given, 'http://us.invalid');
  // Checked again, because parsing removes dot segments: `/.//elsewhere` becomes `//elsewhere`.
  return isOurs(pathname) ? pathname + search : HOME;
}

/** Accepts ASCII without spaces and backslashes, which browsers treat as slashes. Two leading slashes name another site. */
const isOurs = (path: string): boolean => /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(path);
