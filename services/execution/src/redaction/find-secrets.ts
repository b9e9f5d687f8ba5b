import { type Automaton } from './automaton.js';
import { NOT_BASE64, SIX_BITS, SKIPPED } from './base64.js';
import { HEX } from './hex.js';
import { FollowingRanges } from './following-ranges.js';
import { type Range, RangeList } from './ranges.js';
import { SEPARATOR } from './view.js';

/** Where a pattern stands in these bytes: as it is, in hex, or in base64 at any of its four alignments. */
export function findSecrets(bytes: Uint8Array, automaton: Automaton): Range[] {
  return [...findPlain(bytes, automaton), ...findInHex(bytes, automaton), ...findInBase64(bytes, automaton)];
}

function findPlain(bytes: Uint8Array, automaton: Automaton): Range[] {
  const found = new RangeList();
  const following = new FollowingRanges();
  for (let at = 0, state = 0, begin = 0; at < bytes.length; at++) {
    if (bytes[at] === SEPARATOR) {
      following.end(at);
      begin = at + 1;
    }
    state = automaton.step(state, bytes[at]!);
    if (state === 0) continue;
    const length = automaton.endingAt(state);
    if (length === 0) continue;
    found.add(Math.min(at + 1 - length, Math.max(begin, at + 1 - automaton.lengthUpTo(state))), at + 1);
    following.add(at, automaton.lengthAfter(state));
  }
  following.end(bytes.length);
  return [...found.list(), ...following.ranges];
}

/** Two readings of the same digits: from even places and from odd ones. */
function findInHex(bytes: Uint8Array, automaton: Automaton): Range[] {
  const found = new RangeList();
  const following = new FollowingRanges();
  let [state, other, before, begin] = [0, 0, -1, 0];
  for (let at = 0; at < bytes.length; at++) {
    const digit = HEX[bytes[at]!]!;
    if (digit < 0 && before >= 0) following.end(at);
    if (digit < 0) begin = at + 1;
    const next = digit < 0 || before < 0 ? 0 : automaton.step(other, before * 16 + digit);
    other = digit < 0 ? 0 : state;
    state = next;
    before = digit;
    if (state === 0 || automaton.endingAt(state) === 0) continue;
    found.add(Math.max(begin, at + 1 - 2 * automaton.lengthUpTo(state)), at + 1);
    following.add(at, 2 * automaton.lengthAfter(state));
  }
  following.end(bytes.length);
  return [...found.list(), ...following.ranges];
}

/** Four readings of the same characters: each character ends a byte in three of them. */
function findInBase64(bytes: Uint8Array, automaton: Automaton): Range[] {
  const found = new RangeList();
  /** In characters of this run. */
  const following = new FollowingRanges();
  const further: Range[] = [];
  const states = [0, 0, 0, 0];
  /** Where each character of this run stands, for blanks and line breaks between them are skipped. */
  const places = new Int32Array(bytes.length);
  const endRun = (count: number): void => {
    following.end(count);
    for (const [from, end] of following.ranges.splice(0)) further.push([places[from]!, places[end - 1]! + 1]);
  };
  let count = 0;
  for (let at = 0, before = 0; at < bytes.length; at++) {
    const bits = SIX_BITS[bytes[at]!]!;
    if (bits === SKIPPED) continue;
    if (bits === NOT_BASE64) {
      if (count > 0) states.fill(0);
      if (count > 0) endRun(count);
      count = 0;
      continue;
    }
    places[count] = at;
    for (let ended = 1; ended <= 3 && ended <= count; ended++) {
      const group = count - ended;
      const value = ((before << (2 * ended)) | (bits >> (6 - 2 * ended))) & 0xff;
      const state = automaton.step(states[group & 3]!, value);
      states[group & 3] = state;
      if (state === 0 || automaton.endingAt(state) === 0) continue;
      // The first of these bytes begins so many characters before the group in which the last of them is the `ended`th.
      const first = group + Math.floor((8 * (ended - automaton.lengthUpTo(state))) / 6);
      found.add(places[Math.max(0, first)]!, at + 1);
      following.add(count, Math.floor((8 * automaton.lengthAfter(state)) / 6));
    }
    before = bits;
    count++;
  }
  endRun(count);
  return [...found.list(), ...further];
}
