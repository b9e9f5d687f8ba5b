import { MAX_HOST_CHARACTERS, toUrlParts } from '@drawbridge/contracts';

/** Not \s: the URL parser drops U+FEFF from a host, so that it separates nothing. */
const SPACE = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const PUNCTUATION = '"\'<>`|,;(){}，、；：！？（）「」『』《》【】“”‘’';
/** Schemes can be missing and slashes can be backslashes: browsers open such a URL all the same. */
const ANCHORS = /:[\\/]*|[\\/]{2,}/g;
/** `a:b` names a host only after a scheme of the web. */
const WEB_SCHEME = /(?:^|\W)(?:https?|wss?|ftp)$/i;
const WEB_SCHEMES = new Set(['http', 'https', 'ws', 'wss', 'ftp']);
const LONGEST_WEB_SCHEME = 6;
/** A URL without a scheme, which a browser takes from its page, stands alone. */
const ALONE = /[\s"'`<>()[\]{}=,;|]/;
/** An authority inside of a text ends where another URL begins. Each character is read once, so that the cost is linear. */
const EMBEDDED = new RegExp(`(?:[^${SPACE}${PUNCTUATION}\\\\/?#:]|:(?!//)){1,${MAX_HOST_CHARACTERS + 1}}`, 'y');
/** The local part of an address can end with a quote, `"ann lee"@acme.com`, or with a comment. */
const BEFORE_AT = /[^\s@<>,;:([\]]/;
/** An address can name a server by its IP address: `ann@[203.0.113.5]`, `ann@[IPv6:2001:db8::1]`. */
const ADDRESS_LITERAL = /\[(?:IPv6:)?[\da-f:.]{1,45}\]/iy;
const EMAIL_DOMAIN = new RegExp(`[^${SPACE}${PUNCTUATION}\\\\/?#:@[\\]!&=+*$^~]{1,${MAX_HOST_CHARACTERS + 1}}`, 'y');
/** Marks that end a sentence or emphasize a URL. A host can contain them, but does not end with one. */
const TRAILING = new Set('!*&=+$^~]_-.…。');

/** A host as a text writes it, with what else its URL says about it. */
export interface Authority {
  written: string;
  /** Behind slashes alone, or an `@`, a name without a dot is a path, a comment or a mention. */
  mustHaveDot?: boolean;
}

/**
 * Yields each authority in a text: of the URL that the whole text is, where it is one, exactly as the URL parser reads it; then of every URL and
 * e-mail address inside of it.
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

/** Returns the address in a literal as a URL would name it. */
function hostOf(literal: string | undefined): string | undefined {
  const address = literal?.replace(/^\[(?:IPv6:)?|\]$/gi, '');
  return address?.includes(':') ? `[${address}]` : address;
}

/** The patterns have no groups: a capture costs more than the whole match. */
function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? text.slice(at, pattern.lastIndex) : undefined;
}

function withoutTrailing(written: string): string {
  // The bracket ends an IPv6 address.
  if (written.includes('[')) return written;
  let end = written.length;
  while (end > 0 && TRAILING.has(written[end - 1]!)) end--;
  return written.slice(0, end);
}
