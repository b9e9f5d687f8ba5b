const HOME = '/account';
const MAX_CHARACTERS = 2_000;

/** Where to go on after signing in: a path of ours, or the account. Never another site, whatever a link says. */
export function returnTo(given: unknown): string {
  if (typeof given !== 'string' || given.length > MAX_CHARACTERS || !/^\/(?![/\\])[\x21-\x7e]*$/.test(given))
    return HOME;
  const { origin, pathname, search } = new URL(given, 'http://us.invalid');
  return origin === 'http://us.invalid' && !given.includes('\\') ? pathname + search : HOME;
}
