/** The longest string within a truncated value, so that one long string does not hide everything after it. */
const MAX_STRING = 10_000;
/** Characters reserved for the markers of truncated parts. */
const RESERVED = 200;
const MARK = { ']': '"…"', '}': '"…":"truncated"' };

type Closing = keyof typeof MARK;

/**
 * Returns the first `max` characters of a JSON text as valid JSON: long strings are cut, and the innermost list or object that does not fit ends in
 * `…`. Reads the text only as far as the result needs, because a value may have megabytes.
 */
export function truncateJson(json: string, max: number): string {
  if (json.length <= max) return json;
  const open: Closing[] = [];
  let written = '';
  /** The part of `written` that is valid once its brackets are closed. */
  let valid = 0;
  for (let at = 0; at < json.length;) {
    const end = endOfToken(json, at);
    const first = json[at]!;
    const isKey = first === '"' && json[end] === ':';
    const isLong = first === '"' && !isKey && end - at > MAX_STRING;
    if (!isLong && end - at > max) break;
    const token = isLong ? cutString(json.slice(at, at + MAX_STRING), end - at) : json.slice(at, end);
    if (written.length + token.length + open.length + RESERVED > max) break;
    written += token;
    at = end;
    if (first === '[') open.push(']');
    else if (first === '{') open.push('}');
    else if (first === ']' || first === '}') open.pop();
    if (!isKey && first !== ',' && first !== ':') valid = written.length;
  }
  return closed(written.slice(0, valid), open);
}

function endOfToken(json: string, at: number): number {
  const first = json[at]!;
  if ('[]{},:'.includes(first)) return at + 1;
  if (first !== '"') return endOfLiteral(json, at);
  for (let quote = json.indexOf('"', at + 1); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    if (backslashesBefore(json, quote) % 2 === 0) return quote + 1;
  }
  return json.length;
}

function endOfLiteral(json: string, at: number): number {
  let end = at + 1;
  while (end < json.length && !'[]{},:"'.includes(json[end]!)) end++;
  return end;
}

function backslashesBefore(json: string, at: number): number {
  let from = at;
  while (json[from - 1] === '\\') from--;
  return at - from;
}

/** Cuts a string that may end within an escape sequence or a surrogate pair. */
function cutString(start: string, length: number): string {
  const whole = start.replace(/\\u[0-9a-fA-F]{0,3}$/, '');
  const isHalf = backslashesBefore(whole, whole.length) % 2 === 1;
  const text = (isHalf ? whole.slice(0, -1) : whole).toWellFormed();
  return `${text}… (${length - text.length - 1} more characters)"`;
}

function closed(written: string, open: readonly Closing[]): string {
  const innermost = open.at(-1);
  if (innermost === undefined) return written;
  const comma = /[[{]$/.test(written) ? '' : ',';
  return `${written}${comma}${MARK[innermost]}${[...open].reverse().join('')}`;
}
