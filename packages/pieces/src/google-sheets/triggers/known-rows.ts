import { type JsonValue } from '@drawbridge/piece-kit';
import { digestOf } from '../digest.js';

/** Rows of a sheet. `start` is the number of the first row. */
export interface Section {
  start: number;
  rows: JsonValue[][];
}

/** The number of the last known row, and the digests of the last known rows, oldest first. */
export interface Known {
  last: number;
  tail: readonly string[];
}

/** The number of digests in a cursor. More than one is needed because rows may be equal, and the last row may be deleted. */
export const TAIL = 20;
const DIGEST = 22;

/** Returns the number of the last row of a section. If it has no rows, returns the number before the section. */
export const endOf = ({ start, rows }: Section): number => start + rows.length - 1;

/** Returns the digests of the last rows of a section, up to a row. */
export const tailAt = ({ start, rows }: Section, last: number): string[] =>
  rows.slice(Math.max(0, last - start + 1 - TAIL), Math.max(0, last - start + 1)).map((row) => digestOf(row, DIGEST));

/**
 * Returns the current number of the last known row. `isExact` is true if the row itself was found. Otherwise the nearest known row above it is the
 * reference, and the rows that followed that row count as changed, not as new. Returns undefined for a section without known rows.
 */
export function findLast(section: Section, { last, tail }: Known): { row: number; isExact: boolean } | undefined {
  const digests = section.rows.map((row) => digestOf(row, DIGEST));
  for (let missing = 0; missing < tail.length; missing++) {
    const rest = tail.slice(0, tail.length - missing);
    const index = bestMatch(digests, rest, last - missing - section.start);
    if (index === undefined) continue;
    return { row: Math.min(section.start + index + missing, endOf(section)), isExact: missing === 0 };
  }
  return undefined;
}

/**
 * Returns the index of the last row of `tail`. Among equal rows it selects the row below the most known rows, then the row nearest to the old
 * position.
 */
function bestMatch(digests: readonly string[], tail: readonly string[], old: number): number | undefined {
  const found = digests.flatMap((digest, index) => (digest === tail.at(-1) ? [index] : []));
  const runs = new Map(found.map((index) => [index, runOf(digests, tail, index)]));
  const rank = (index: number): number => runs.get(index) ?? 0;
  return found.sort((one, other) => rank(other) - rank(one) || Math.abs(one - old) - Math.abs(other - old))[0];
}

/** Returns the number of consecutive rows that end at an index and equal the end of the tail. */
function runOf(digests: readonly string[], tail: readonly string[], end: number): number {
  let run = 0;
  while (run < tail.length && digests[end - run] === tail[tail.length - 1 - run]) run++;
  return run;
}
