/** So much of something. */
export interface Bounds {
  /** Events, and requests that nobody has looked into yet. */
  rows: number;
  bytes: number;
}

/** What is kept of what came in: until it has arrived at its callback, or, given up, may be delivered again. */
export interface Kept {
  waiting: Bounds;
  dead: Bounds;
}

/**
 * Of one organization, what waits, and as much again that is dead; of that of one source both together, so that what nobody takes of one leaves
 * the others most of the room. Where there is no more room for dead letters, those sources go on who have `few`, until there are twice as many.
 */
export const MOST = {
  ofOrganization: { rows: 200_000, bytes: 1024 * 1024 * 1024 },
  ofSource: { rows: 50_000, bytes: 256 * 1024 * 1024 },
  few: { rows: 1_000, bytes: 8 * 1024 * 1024 },
};

/** Whether a source of an organization may have more waiting. */
export function hasRoom({ all, its }: { all: Kept; its: Kept }, more: Bounds, most = MOST): boolean {
  const { ofOrganization, ofSource, few } = most;
  if (!fits(sumOf([its.waiting, its.dead]), more, ofSource) || !fits(all.waiting, more, ofOrganization)) return false;
  if (fits(all.dead, more, ofOrganization)) return true;
  return fits(its.dead, more, few) && fits(all.dead, more, sumOf([ofOrganization, ofOrganization]));
}

/** What comes together is taken together, where there is room for one. */
function fits(kept: Bounds, more: Bounds, most: Bounds): boolean {
  return kept.rows < most.rows && kept.bytes + more.bytes <= most.bytes;
}

export function sumOf(parts: readonly Bounds[]): Bounds {
  const sum = (of: keyof Bounds): number => parts.reduce((before, part) => before + part[of], 0);
  return { rows: sum('rows'), bytes: sum('bytes') };
}
