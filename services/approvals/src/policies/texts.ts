import { type JsonValue } from '@drawbridge/piece-kit';

/** Matches typical key names. The limit is below the length of most credentials. */
const NAME = /^[\p{L}_][\p{L}\p{N}_ -]{0,29}$/u;

export interface FoundText {
  text: string;
  /** The path of the text, safe to show: `to[0].email`. */
  path: string;
}

/** Returns every text in a value, including keys, with its path. */
export function textsOf(value: JsonValue, path = ''): FoundText[] {
  const found: FoundText[] = [];
  collect(value, path, found);
  return found;
}

/** Extends a path. Approvers see paths but no values, so a key that does not look like a name (a URL with a password) is shown as `*`. */
export function placeBelow(path: string, key: string): string {
  const shown = NAME.test(key) ? key : '*';
  return path === '' ? shown : `${path}.${shown}`;
}

function collect(value: JsonValue | undefined, path: string, found: FoundText[]): void {
  if (typeof value === 'string') found.push({ text: value, path });
  else if (Array.isArray(value)) value.forEach((item, index) => collect(item, `${path}[${index}]`, found));
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const place = placeBelow(path, key);
      found.push({ text: key, path: place });
      collect(inner, place, found);
    }
  }
}
