import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** An id that sorts before every other id and identifies nothing (RFC 9562, 5.9). */
export { NIL as NIL_ID } from 'uuid';

/** The format of an id in a request: a UUID of any version (RFC 9562, 4), in either case. */
export const ID_PATTERN = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
const ID = new RegExp(ID_PATTERN);

const RANDOM_BYTES = 16;
/** Random bytes are generated for many ids together, because one call takes ten times as long as the rest of an id. */
const pool = new Uint8Array(256 * RANDOM_BYTES);
let used = pool.length;
let last = { msecs: -Infinity, seq: 0 };

/** Returns a UUIDv7 (RFC 9562, 5.7). The ids of one process increase, even within a millisecond or when the clock is set back. */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, (used += RANDOM_BYTES));
  last = next(Date.now(), random);
  return v7({ random, ...last });
}

export function isId(text: string): boolean {
  return ID.test(text);
}

/** Returns the next counter of 31 bits (RFC 9562, 6.2, method 1). It starts in each millisecond at a random value in its lower half. */
function next(now: number, random: Uint8Array): typeof last {
  if (now > last.msecs) {
    return { msecs: now, seq: ((random[6]! & 0x7f) << 24) | (random[7]! << 16) | (random[8]! << 8) | random[9]! };
  }
  const seq = (last.seq + 1) | 0;
  return { msecs: seq === 0 ? last.msecs + 1 : last.msecs, seq };
}
