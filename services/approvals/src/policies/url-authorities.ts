import { MAX_HOST_CHARACTERS, toUrlParts } from '@drawbridge/contracts';

/** White space as in \s, but without U+FEFF, which the URL parser removes from a host. */
const SPACE = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const PUNCTUATION = '"\'<>`|,;(){}，、；：！？（）「」『』《》【】“”‘’';
/** Matches the characters before a host. The scheme can be missing and slashes can be backslashes, because browsers accept such URLs. */
const ANCHORS = /:[\\/]*|[\\/]{2,}/g;
/** Matches a web scheme. In `a:b` without slashes, `b` is a host only if `a` is a web scheme, as in `https:acme.com`. */
const WEB_SCHEME = /(?:^|\W)(?:https?|wss?|ftp)$/i;
const WEB_SCHEMES = new Set(['http', 'https', 'ws', 'wss', 'ftp']);
const LONGEST_WEB_SCHEME = 6;
/** Matches the character before a URL without a scheme (`//host`), for which a browser uses the scheme of the page. */
const ALONE = /[\s"'`<>()[\]{}=,;|]/;
/**
 * Matches an authority (the part of a URL with the host) within a string, up to the start of another URL. Each character is read once, so the cost is
 * linear.
 */
const EMBEDDED = new RegExp(`(?:[^${SPACE}${PUNCTUATION}\\\\/?#:]|:(?!//)){1,${MAX_HOST_CHARACTERS + 1}}`, 'y');
/** Matches the last character of an email address before the `@`. It can be a quote (`"ann lee"@acme.com`) or the end of a comment. */
const BEFORE_AT = /[^\s@<>,;:([\]]/;
/** Matches the server of an email address if it is an IP address: `ann@[203.0.113.5]`, `ann@[IPv6:2001:db8::1]`. */
const ADDRESS_LITERAL = /\[(?:IPv6:)?[\da-f:.]{1,45}\]/iy;
const EMAIL_DOMAIN = new RegExp(`[^${SPACE}${PUNCTUATION}\\\\/?#:@[\\]!&=+*$^~]{1,${MAX_HOST_CHARACTERS + 1}}`, 'y');
/** Characters that end a sentence or emphasize a URL. A host can contain them, but does not end with them. */
const TRAILING = new Set('!*&=+$^~]_-.…。');

/** The host of a URL or an email address, as written in the input. */
export interface Authority {
  written: string;
  /** True after slashes without a scheme and after an `@`, where a name without a dot is a path, a comment or a mention. */
  mustHaveDot?: boolean;
}

/**
 * Yields the authority of the whole string if it is a URL, exactly as the URL parser reads it. Then yields the authorities of every URL and email
 * address within the string.
 */
export function* authoritiesIn(text: string): Generator<Authority> {
  const whole = text.includes(':') || text.includes('/') || text.includes('\\') ? toUrlParts(text.trim()) : undefined;
  if (whole && (whole.scheme === undefined || WEB_SCHEMES.has(whole.scheme)))
    yield { written: whole.authority, mustHaveDot: whole.scheme === undefined };
  if (text.includes(':') || text.includes('//') || text.includes('\\')) yield* urlsIn(text);
  if (text.includes('@')) yield* emailsIn(text);
}

function* urlsIn(text: string): Generator<Authority> {
  let from = 0;
  for (;;) {
    ANCHORS.lastIndex = from;
    const anchor = ANCHORS.exec(text);
    if (!anchor) return;
    from = ANCHORS.lastIndex;
    const leads = leadsToHost(text, anchor);
    const written = leads && matchAt(EMBEDDED, text, from);
    if (!written) continue;
    from += written.length;
    yield { written: withoutTrailing(written), mustHaveDot: leads === 'if dotted' };
  }
}

function leadsToHost(text: string, { 0: anchor, index }: RegExpExecArray): 'always' | 'if dotted' | undefined {
  if (!anchor.startsWith(':')) return index === 0 || ALONE.test(text[index - 1]!) ? 'if dotted' : undefined;
  const isUrl = anchor.startsWith('://') || WEB_SCHEME.test(text.slice(Math.max(0, index - LONGEST_WEB_SCHEME), index));
  return isUrl ? 'always' : undefined;
}

function* emailsIn(text: string): Generator<Authority> {
  for (let at = text.indexOf('@', 1); at > 0; at = text.indexOf('@', at + 1)) {
    if (!BEFORE_AT.test(text[at - 1]!)) continue;
    const written = matchAt(EMAIL_DOMAIN, text, at + 1) ?? hostOf(matchAt(ADDRESS_LITERAL, text, at + 1));
    if (written) yield { written: withoutTrailing(written), mustHaveDot: true };
  }
}

/** Converts an IP address literal of an email address to the syntax of URLs, which has no `IPv6:` and brackets only around IPv6. */
function hostOf(literal: string | undefined): string | undefined {
  const address = literal?.replace(/^\[(?:IPv6:)?|\]$/gi, '');
  return address?.includes(':') ? `[${address}]` : address;
}

/** Returns the match of a sticky pattern at a position. Uses no capture groups, because a capture costs more than the whole match. */
function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? text.slice(at, pattern.lastIndex) : undefined;
}

function withoutTrailing(written: string): string {
  // The closing bracket belongs to an IPv6 address and must not be removed.
  if (written.includes('[')) return written;
  let end = written.length;
  while (end > 0 && TRAILING.has(written[end - 1]!)) end--;
  return written.slice(0, end);
}
