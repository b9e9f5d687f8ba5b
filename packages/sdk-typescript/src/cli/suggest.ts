const MAX_CHARACTERS = 64;

/** Returns ` Did you mean --title?` for the known name that was most likely meant, or nothing. Ignores case and separators. */
export function suggestion(given: string, known: readonly string[]): string {
  const name = plain(given);
  const most = name.length < 3 ? 0 : Math.min(3, Math.ceil(name.length / 3));
  let nearest: { one: string; changes: number } | undefined;
  for (const one of known) {
    const changes = distance(name, plain(one));
    if (changes <= most && changes < (nearest?.changes ?? Infinity)) nearest = { one, changes };
  }
  return name === '' || !nearest ? '' : ` Did you mean ${nearest.one}?`;
}

/** Returns the beginning of a text without case and separators. Names are short, and the distance to a long text would take too much time. */
const plain = (name: string): string =>
  name
    .slice(0, MAX_CHARACTERS)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Returns the Levenshtein distance. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 1; at <= from.length; at++) {
    const next = [at];
    for (let column = 1; column <= to.length; column++) {
      const changed = row[column - 1]! + (from[at - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(changed, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
