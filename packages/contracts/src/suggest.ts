import { distance } from 'fastest-levenshtein';

/** Longer input is cut, because all known names are shorter and the cost of a comparison grows with the length. */
const MAX_CHARACTERS = 64;

/** Returns the known name that a caller most likely meant, or undefined. Case and separators are ignored: `createIssue` means `create_issue`. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const name = plain(given);
  if (name === '') return undefined;
  const most = name.length < 3 ? 0 : Math.min(3, Math.ceil(name.length / 3));
  const [best] = known
    .map((one) => ({ one, changes: distance(name, plain(one)) }))
    .filter(({ changes }) => changes <= most)
    .sort((one, other) => one.changes - other.changes);
  return best?.one;
}

/** Returns ` Did you mean github?` for the end of an error message, or an empty string. */
export function suggestion(given: string, known: readonly string[]): string {
  const nearest = nearestName(given, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** Returns the end of an error message about an unknown name: the most similar known name, and all known names. */
export function choices(given: string, known: readonly string[]): string {
  return `${suggestion(given, known)} It has ${known.join(', ') || 'none'}`;
}

const plain = (name: string): string =>
  name
    .slice(0, MAX_CHARACTERS)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
