/** An internationalized host costs the URL parser time that is quadratic in its length. DNS names have at most 253 characters. */
export const MAX_HOST_CHARACTERS = 1_000;

/** The URL parser removes these wherever they stand. */
const REMOVED = /[\t\n\r]+/g;
/** The part of a URL before its host. Slashes and backslashes mean the same to the parser, and it takes any number of them. */
const BEFORE_HOST = /^[\0-\x20]*(?:([a-z][a-z\d+.-]*):[\\/]*|[\\/]{2,})/i;
const BEHIND_HOST = /[\\/?#]|$/g;
/** The URL parser changes nothing about such a host: it is not an IPv4 address and has no label in punycode. */
const PLAIN_HOST = /^(?!(?:.*\.)?xn--)(?:[a-z\d_-]+\.)*[a-z][a-z\d_-]*$/;
/** Parts of a URL beside its host, and what the parser removes. */
const NOT_IN_HOST = /[\0-\x20/\\?#@:]/;
const ADDRESS = /^\[[\da-f:.]+\]$/i;
const CANONICAL = /^(?:\[[\da-f:]+\]|[a-z\d_-]+(?:\.[a-z\d_-]+)*)$/;
const DOT = 46;

/** The parts of a text that begins as a URL with a host does. */
export interface UrlParts {
  /** Undefined for a URL that takes the scheme of its base. */
  scheme?: string;
  /** The host, with a user before it and a port behind it where the URL has them. */
  authority: string;
  rest: string;
}

/** Splits a text at the places where the URL parser would. Returns undefined for a text without a scheme or two slashes at its beginning. */
export function toUrlParts(text: string): UrlParts | undefined {
  const read = text.replace(REMOVED, '');
  const before = BEFORE_HOST.exec(read);
  if (!before) return undefined;
  const start = before[0].length;
  BEHIND_HOST.lastIndex = start;
  const end = BEHIND_HOST.exec(read)!.index;
  return { scheme: before[1]?.toLowerCase(), authority: read.slice(start, end), rest: read.slice(end) };
}

/** Returns the URL that a text is, read as `new URL` reads it, or undefined. A URL whose host has more than 1,000 characters is not read. */
export function parseUrl(text: string, base?: string): URL | undefined {
  const { authority = '' } = toUrlParts(text) ?? {};
  if (authority.length > MAX_HOST_CHARACTERS) return undefined;
  try {
    // Not URL.canParse: once Node.js 20 or 22 has optimized it, it refuses hosts with Latin-1 letters (github.com/nodejs/node/pull/47552).
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * Returns the host to which a request for a URL with this `hostname` connects. Egress connects to this host and approval policies compare it,
 * so that both always mean the same one.
 */
export function connectedHost({ hostname }: Pick<URL, 'hostname'>): string {
  let end = hostname.length;
  while (end > 0 && hostname.charCodeAt(end - 1) === DOT) end--;
  return hostname.slice(0, end).toLowerCase();
}

/** Returns the host that a text such as `Bücher.example` or `[::1]` names, or undefined where it is more than a host or not a valid one. */
export function toHost(text: string): string | undefined {
  if (text.length > MAX_HOST_CHARACTERS) return undefined;
  if (PLAIN_HOST.test(text)) return text;
  if (NOT_IN_HOST.test(text) && !ADDRESS.test(text)) return undefined;
  const url = parseUrl(`http://${text}`);
  const host = url && connectedHost(url);
  return host !== undefined && CANONICAL.test(host) ? host : undefined;
}
