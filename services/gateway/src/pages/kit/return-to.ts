const HOME = '/account';
const MAX_CHARACTERS = 2_000;

/** Where to go on after signing in: a path of ours, or the account. Never another site, whatever a link says. */
export function returnTo(given: unknown): string {
  if (typeof given !== 'string' || given.length > MAX_CHARACTERS || !isOurs(given)) return HOME;
  const { pathname, search } = new URL(given, 'http://us.invalid');
  // Again: what a browser is sent has no dot segments any more, and `/.//elsewhere` is `//elsewhere`.
  return isOurs(pathname) ? pathname + search : HOME;
}

/** Of ASCII without spaces and backslashes, which browsers take for slashes; two slashes begin another site. */
const isOurs = (path: string): boolean => /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(path);
