const MAX_CHARACTERS = 1_000;
/** Visible ASCII: a URL parser drops or rewrites other characters, so that comparisons would be unreliable. */
const WRITTEN = /^[\x21-\x7e]+$/;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
/** Excludes characters with a meaning in headers. */
const HOST = /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])$/;
/** A program's own scheme (RFC 8252, 7.1), except for schemes that a browser handles itself, some of which run code. */
const OWN_SCHEME = /^[a-z][a-z0-9.+-]{1,63}:$/;
const BROWSERS_OWN = new Set(
  'about blob chrome content data devtools facetime file filesystem ftp gopher intent irc javascript jar mailto moz-extension news search-ms sms ssh tel telnet urn vbscript view-source ws wss'
    .split(' ')
    .map((scheme) => `${scheme}:`),
);

/** Returns the problem of a redirect URI of a program; undefined if there is none. */
export function redirectProblem(uri: unknown): string | undefined {
  if (typeof uri !== 'string') return 'must be text';
  if (uri.length > MAX_CHARACTERS || !WRITTEN.test(uri)) return 'must be a URL of at most 1,000 visible characters';
  if (!URL.canParse(uri)) return 'must be a URL';
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes('#')) return 'must have no fragment';
  if (uri.includes('\\') || username + password !== '') return 'must name a host and no user';
  if (/^https?:$/.test(protocol) && !HOST.test(hostname))
    return 'must name a host by letters, digits, dots and hyphens';
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:') return LOOPBACK.includes(hostname) ? undefined : 'must be https, or of this machine';
  return isOwnScheme(protocol) ? undefined : 'must not have that scheme';
}

/** Windows reserves the schemes that begin with `ms-`. */
const isOwnScheme = (protocol: string): boolean =>
  OWN_SCHEME.test(protocol) && !BROWSERS_OWN.has(protocol) && !protocol.startsWith('ms-');

/** Returns whether a redirect URI belongs to a program outside of the browser. */
export function isNative(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol !== 'https:' && (protocol !== 'http:' || LOOPBACK.includes(hostname));
}
