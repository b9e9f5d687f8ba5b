/** An amount of stored data. */
export interface Bounds {
  /** Events, and requests that are not yet processed. */
  rows: number;
  bytes: number;
}

/** Stored events: `waiting` until they arrive at their callback, `dead` after the last attempt, until they are redelivered or expire. */
export interface Kept {
  waiting: Bounds;
  dead: Bounds;
}

/**
 * Backlog limits. An organization may have this much waiting, and as much again in dead letters. For one source the limit covers both together, so
 * that one failing receiver leaves most of the quota to the others. When the organization has no quota left for dead letters, sources with only `few`
 * continue until there are twice as many.
 */
export const MOST = {
  ofOrganization: { rows: 200_000, bytes: 1024 * 1024 * 1024 },
  ofSource: { rows: 50_000, bytes: 256 * 1024 * 1024 },
  few: { rows: 1_000, bytes: 8 * 1024 * 1024 },
};

/** Returns whether the backlog limits allow a source to store more. */
export function hasRoom({ all, its }: { all: Kept; its: Kept }, more: Bounds, most = MOST): boolean {
  const { ofOrganization, ofSource, few } = most;
  if (!fits(sumOf([its.waiting, its.dead]), more, ofSource) || !fits(all.waiting, more, ofOrganization)) return false;
  if (fits(all.dead, more, ofOrganization)) return true;
  return fits(its.dead, more, few) && fits(all.dead, more, sumOf([ofOrganization, ofOrganization]));
}

/** A batch fits if one more row fits; its bytes must all fit. */
function fits(kept: Bounds, more: Bounds, most: Bounds): boolean {
  return kept.rows < most.rows && kept.bytes + more.bytes <= most.bytes;
}

export function sumOf(parts: readonly Bounds[]): Bounds {
  const sum = (of: keyof Bounds): number => parts.reduce((before, part) => before + part[of], 0);
  return { rows: sum('rows'), bytes: sum('bytes') };
}
