/**
 * Maximum length of a host that is parsed. The time of the URL parser is quadratic in the length of an internationalized host. DNS names have at most
 * 253 characters.
 */
export const MAX_HOST_CHARACTERS = 1_000;

/** The URL parser removes these characters anywhere in a URL. */
const REMOVED = /[\t\n\r]+/g;
/** The part of a URL before its host. The parser treats slashes and backslashes equally and accepts any number of them. */
const BEFORE_HOST = /^[\0-\x20]*(?:([a-z][a-z\d+.-]*):[\\/]*|[\\/]{2,})/i;
const BEHIND_HOST = /[\\/?#]|$/g;
/** A host that the URL parser leaves unchanged: it is not an IPv4 address and has no punycode label. */
const PLAIN_HOST = /^(?!(?:.*\.)?xn--)(?:[a-z\d_-]+\.)*[a-z][a-z\d_-]*$/;
/** Characters that a host cannot contain: they belong to other parts of a URL, or the URL parser removes them. */
const NOT_IN_HOST = /[\0-\x20/\\?#@:]/;
const ADDRESS = /^\[[\da-f:.]+\]$/i;
const CANONICAL = /^(?:\[[\da-f:]+\]|[a-z\d_-]+(?:\.[a-z\d_-]+)*)$/;
const DOT = 46;

/** The parts of a string that begins like a URL with a host. */
export interface UrlParts {
  /** Undefined for a URL that inherits the scheme of its base. */
  scheme?: string;
  /** The host, with its user and port if the URL has them. */
  authority: string;
  rest: string;
}

/** Splits a string as the URL parser would. Returns undefined for a string that begins with neither a scheme nor two slashes. */
export function toUrlParts(text: string): UrlParts | undefined {
  const read = text.replace(REMOVED, '');
  const before = BEFORE_HOST.exec(read);
  if (!before) return undefined;
  const start = before[0].length;
  BEHIND_HOST.lastIndex = start;
  const end = BEHIND_HOST.exec(read)!.index;
  return { scheme: before[1]?.toLowerCase(), authority: read.slice(start, end), rest: read.slice(end) };
}

/** Parses a URL like `new URL`. Returns undefined if it is invalid or its host has more than 1,000 characters. */
export function parseUrl(text: string, base?: string): URL | undefined {
  const { authority = '' } = toUrlParts(text) ?? {};
  if (authority.length > MAX_HOST_CHARACTERS) return undefined;
  try {
    // URL.canParse is not used: after optimization by Node.js 20 or 22 it rejects hosts with Latin-1 letters (github.com/nodejs/node/pull/47552).
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * Returns the host to which a request for a URL with this `hostname` connects. Both egress and approval policies use it, so that they always refer to
 * the same host.
 */
export function connectedHost({ hostname }: Pick<URL, 'hostname'>): string {
  let end = hostname.length;
  while (end > 0 && hostname.charCodeAt(end - 1) === DOT) end--;
  return hostname.slice(0, end).toLowerCase();
}

/** Returns the normalized host for a string such as `Bücher.example` or `[::1]`, or undefined if it is invalid or contains more than a host. */
export function toHost(text: string): string | undefined {
  if (text.length > MAX_HOST_CHARACTERS) return undefined;
  if (PLAIN_HOST.test(text)) return text;
  if (NOT_IN_HOST.test(text) && !ADDRESS.test(text)) return undefined;
  const url = parseUrl(`http://${text}`);
  const host = url && connectedHost(url);
  return host !== undefined && CANONICAL.test(host) ? host : undefined;
}
