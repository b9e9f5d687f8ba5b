/** The costs of a difference. A changed row costs less than a removed row together with a new row, but more than one of them. */
const [ONE_SIDED, CHANGED] = [2, 3];

/** A row with changed content: its index, and its previous digest. */
interface Changed {
  index: number;
  old: string;
}

/**
 * Compares digests of rows, and returns the rows with changed content, without new, removed and moved rows. The result is the explanation of all
 * differences with the lowest cost, so rows that were added or removed above do not matter.
 */
export function findChanged(known: readonly string[], now: readonly string[]): Changed[] {
  const shorter = Math.min(known.length, now.length);
  let above = 0;
  while (above < shorter && known[above] === now[above]) above++;
  let below = 0;
  while (below < shorter - above && known.at(-1 - below) === now.at(-1 - below)) below++;

  const changed = align(known.slice(above, known.length - below), now.slice(above, now.length - below));
  return changed.map(({ index, old }) => ({ index: index + above, old }));
}

function align(known: readonly string[], now: readonly string[]): Changed[] {
  const changed: Changed[] = [];
  const others = new Set<string>();
  const cost = costsOf(known, now);
  let j = 0;
  for (const [i, old] of known.entries()) {
    while (j < now.length && cost(i, j) === cost(i, j + 1) + ONE_SIDED) j++;
    const isPair = j < now.length && cost(i, j) === cost(i + 1, j + 1) + differenceOf(old, now[j]);
    if (old !== now[j]) others.add(old);
    if (isPair && old !== now[j]) changed.push({ index: j, old });
    if (isPair) j++;
  }
  // If the new content of a row is that of another known row without a counterpart, the rows were sorted, and the row was moved and not changed.
  return changed.filter(({ index }) => !others.has(now[index] ?? ''));
}

const differenceOf = (one: string | undefined, other: string | undefined): number => (one === other ? 0 : CHANGED);

/**
 * Returns the cost of the differences from a pair of positions to the ends. This is the edit distance, computed in a table that is filled from the
 * end.
 */
function costsOf(known: readonly string[], now: readonly string[]): (i: number, j: number) => number {
  const width = now.length + 1;
  const table = new Uint16Array((known.length + 1) * width);
  const cost = (i: number, j: number): number => table[i * width + j] ?? 0;
  for (let i = known.length; i >= 0; i--) {
    for (let j = now.length; j >= 0; j--) {
      const [restOfKnown, restOfNow] = [known.length - i, now.length - j];
      table[i * width + j] =
        restOfKnown === 0 || restOfNow === 0
          ? (restOfKnown + restOfNow) * ONE_SIDED
          : Math.min(
              cost(i + 1, j + 1) + differenceOf(known[i], now[j]),
              Math.min(cost(i + 1, j), cost(i, j + 1)) + ONE_SIDED,
            );
    }
  }
  return cost;
}
