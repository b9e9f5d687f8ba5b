import { type Automaton } from './automaton.js';
import { NOT_BASE64, SIX_BITS, SKIPPED } from './base64.js';
import { HEX } from './hex.js';

const [PERCENT, BACKSLASH, AMPERSAND, SEMICOLON] = [0x25, 0x5c, 0x26, 0x3b];
/** As far as a character reference is looked for. */
const LONGEST_REFERENCE = 10;
const ESCAPED = -1;

/**
 * Whether a JSON text may hold a pattern as `findSecrets` reads it; true also where it may hold escapes below those of JSON.
 * Most answers hold neither, and this is all that is spent on them: one pass over all readings at once, nothing copied, and
 * not told where. Of hex there are two readings, of base64 three at each character: one for each byte that it may end. In most
 * places nothing has begun in any of them: there a table of first bytes takes the place of a step.
 */
export function mayContainSecret(json: Uint8Array, automaton: Automaton): boolean {
  const begin = automaton.fromRoot;
  let [plain, hex, otherHex, digit] = [0, 0, 0, -1];
  let [sixes, count, first, second, third, skipped] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < json.length; at++) {
    let byte = json[at]!;
    if (byte === PERCENT || byte === BACKSLASH || byte === AMPERSAND) {
      const meant = meantAt(json, at);
      if (meant === ESCAPED) return true;
      if (byte === BACKSLASH) at++;
      byte = meant;
    }

    plain = plain === 0 ? begin[byte]! : automaton.step(plain, byte);
    if (plain !== 0 && automaton.endingAt(plain) > 0) return true;

    const before = digit;
    digit = HEX[byte]!;
    let ofHex = 0;
    if (digit >= 0 && before >= 0) {
      const read = before * 16 + digit;
      ofHex = otherHex === 0 ? begin[read]! : automaton.step(otherHex, read);
    }
    otherHex = digit < 0 ? 0 : hex;
    hex = ofHex;
    if (hex !== 0 && automaton.endingAt(hex) > 0) return true;

    const six = SIX_BITS[byte]!;
    if (six === NOT_BASE64) sixes = count = first = second = third = skipped = 0;
    if (six === NOT_BASE64 || six === SKIPPED) continue;
    sixes = ((sixes << 6) | six) & 0xffffff;
    count++;
    const begun = skipped;
    skipped = third;
    const [last, middle, early] = [sixes & 0xff, (sixes >> 2) & 0xff, (sixes >> 4) & 0xff];
    if (count > 3) third = second === 0 ? begin[last]! : automaton.step(second, last);
    if (count > 2) second = first === 0 ? begin[middle]! : automaton.step(first, middle);
    if (count > 1) first = begun === 0 ? begin[early]! : automaton.step(begun, early);
    if ((first | second | third) === 0) continue;
    if (automaton.endingAt(first) + automaton.endingAt(second) + automaton.endingAt(third) > 0) return true;
  }
  return false;
}

/** What the character here means; a blank for one that JSON escapes and that begins no other escape. */
function meantAt(json: Uint8Array, at: number): number {
  const byte = json[at]!;
  if (byte === BACKSLASH) return AFTER_BACKSLASH[json[at + 1] ?? 0]!;
  const mayEscape =
    (byte === PERCENT && HEX[json[at + 1] ?? 0]! >= 0) ||
    (byte === AMPERSAND && json.subarray(at, at + LONGEST_REFERENCE).includes(SEMICOLON));
  return mayEscape ? ESCAPED : byte;
}

const AFTER_BACKSLASH = new Int16Array(256).fill(ESCAPED);
for (const [index, letter] of [...'bfnrt"/'].entries()) {
  AFTER_BACKSLASH[letter.charCodeAt(0)] = '\b\f\n\r\t"/'.charCodeAt(index);
}
