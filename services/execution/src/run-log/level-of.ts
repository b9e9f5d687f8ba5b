/** Returns the length to cut every part to, so that all parts together take at most `max`. Shorter parts stay whole. */
export function levelOf(sizes: readonly number[], max: number): number {
  const ascending = [...sizes].sort((one, other) => one - other);
  let left = max;
  for (const [at, size] of ascending.entries()) {
    const level = Math.floor(left / (ascending.length - at));
    if (size > level) return level;
    left -= size;
  }
  return max;
}
