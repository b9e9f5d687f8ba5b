import { type Automaton } from './automaton.js';
import { BREAK, SIX_BITS, SKIPPED } from './base64.js';
import { HEX } from './hex.js';
import { type Range, Ranges } from './ranges.js';

/** Where a pattern stands in these bytes: as it is, in hex, or in base64 at any of its four alignments. */
export function findSecrets(bytes: Uint8Array, automaton: Automaton): Range[] {
  return [...findPlain(bytes, automaton), ...findInHex(bytes, automaton), ...findInBase64(bytes, automaton)];
}

function findPlain(bytes: Uint8Array, automaton: Automaton): Range[] {
  const found = new Ranges();
  for (let at = 0, state = 0; at < bytes.length; at++) {
    state = automaton.step(state, bytes[at]!);
    if (state === 0) continue;
    const length = automaton.endingAt(state);
    if (length > 0) found.add(at + 1 - length, at + 1);
  }
  return found.list();
}

/** Two readings of the same digits: from even places and from odd ones. */
function findInHex(bytes: Uint8Array, automaton: Automaton): Range[] {
  const found = new Ranges();
  let [state, other, before] = [0, 0, -1];
  for (let at = 0; at < bytes.length; at++) {
    const digit = HEX[bytes[at]!]!;
    const next = digit < 0 || before < 0 ? 0 : automaton.step(other, before * 16 + digit);
    other = digit < 0 ? 0 : state;
    state = next;
    before = digit;
    if (state === 0) continue;
    const length = automaton.endingAt(state);
    if (length > 0) found.add(at + 1 - 2 * length, at + 1);
  }
  return found.list();
}

/** Four readings of the same characters: each character ends a byte in three of them. */
function findInBase64(bytes: Uint8Array, automaton: Automaton): Range[] {
  const found = new Ranges();
  const states = [0, 0, 0, 0];
  /** Where each character of this run stands, for blanks and line breaks between them are skipped. */
  const places = new Int32Array(bytes.length);
  for (let at = 0, count = 0, before = 0; at < bytes.length; at++) {
    const bits = SIX_BITS[bytes[at]!]!;
    if (bits === SKIPPED) continue;
    if (bits === BREAK) {
      if (count > 0) states.fill(0);
      count = 0;
      continue;
    }
    places[count] = at;
    for (let ended = 1; ended <= 3 && ended <= count; ended++) {
      const group = count - ended;
      const value = ((before << (2 * ended)) | (bits >> (6 - 2 * ended))) & 0xff;
      const state = automaton.step(states[group & 3]!, value);
      states[group & 3] = state;
      if (state === 0) continue;
      const length = automaton.endingAt(state);
      // The first of these bytes begins so many characters before the group in which the last of them is the `ended`th.
      if (length > 0) found.add(places[group + Math.floor((8 * (ended - length)) / 6)]!, at + 1);
    }
    before = bits;
    count++;
  }
  return found.list();
}
