import { invalid } from '@drawbridge/contracts';

/** What parsing costs grows with these, not with bytes: 10 MiB may be one text, or five million numbers. */
export const MAX_VALUES = 50_000;
/** As keys they cost several times what items of a list cost: each may be another one. */
export const MAX_MEMBERS = 20_000;
/** V8 hashes texts past 16,383 characters by their length alone: a few hundred such keys collide with one another. */
export const MAX_KEY_BYTES = 4_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/** Bounds what parsing a JSON text can cost, before it is parsed. Throws VALIDATION_ERROR; leaves malformed text alone. */
export function requireParsable(text: Uint8Array): void {
  if (text.length <= MAX_KEY_BYTES) return; // as most are: too short for any of it
  let values = 0;
  let members = 0;
  let textBytes = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE) {
      const end = endOfText(text, at + 1);
      textBytes = end - at - 1;
      at = end;
    } else if (byte === COLON) {
      if (textBytes > MAX_KEY_BYTES) throw invalid({ body: `must not have a key of more than ${MAX_KEY_BYTES} bytes` });
      if (++members > MAX_MEMBERS) throw invalid({ body: `must not hold more than ${MAX_MEMBERS} keys` });
    } else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) {
      // Each value but the first follows a comma or opens its list or object.
      if (++values > MAX_VALUES) throw invalid({ body: `must not hold more than ${MAX_VALUES} values` });
    }
  }
}

/** Where the text ends that began before `at`. */
function endOfText(text: Uint8Array, at: number): number {
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}
