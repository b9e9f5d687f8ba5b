import { invalid } from './errors.js';

/** The cost of parsing grows with the number of values, not with bytes: 10 MiB may be one string or five million numbers. */
export const MAX_VALUES = 50_000;
/** A key costs several times as much as a list item, because each key may be different. */
export const MAX_MEMBERS = 20_000;
/** V8 hashes strings longer than 16,383 characters by their length alone: a few hundred such keys would collide with one another. */
export const MAX_KEY_BYTES = 4_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** Limits on the content of a JSON text. */
interface Most {
  values: number;
  members: number;
  levels: number;
}

/** `storageProblems` checks the depth after parsing. */
const MOST: Most = { values: MAX_VALUES, members: MAX_MEMBERS, levels: Infinity };

/** Limits the cost of parsing a JSON text before it is parsed. Throws VALIDATION_ERROR; ignores malformed text. */
export function requireParsable(text: Uint8Array, most = MOST): void {
  if (text.length <= MAX_KEY_BYTES && most.levels >= text.length) return; // most texts are too short to exceed any limit
  let [values, members, levels, textBytes] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE) {
      const end = endOfText(text, at + 1);
      textBytes = end - at - 1;
      at = end;
    } else if (byte === COLON) {
      if (textBytes > MAX_KEY_BYTES) throw invalid({ body: `must not have a key of more than ${MAX_KEY_BYTES} bytes` });
      if (++members > most.members) throw invalid({ body: `must not have more than ${most.members} keys` });
    } else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) {
      // Each value but the first follows a comma or opens its list or object.
      if (++values > most.values) throw invalid({ body: `must not have more than ${most.values} values` });
      if (byte !== COMMA && ++levels > most.levels) {
        throw invalid({ body: `must not nest deeper than ${most.levels} levels` });
      }
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) levels--;
  }
}

/** Returns the index of the quote that ends the string whose content starts at `at`. */
function endOfText(text: Uint8Array, at: number): number {
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}
