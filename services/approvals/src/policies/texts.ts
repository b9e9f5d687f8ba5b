import { type JsonValue } from '@drawbridge/piece-kit';

/** Shorter than most credentials are. */
const NAME = /^[\p{L}_][\p{L}\p{N}_ -]{0,29}$/u;

export interface FoundText {
  text: string;
  /** `to[0].email`, as it may be shown. */
  path: string;
}

/** Every text in a value, keys too, with its place. */
export function textsOf(value: JsonValue, path = ''): FoundText[] {
  const found: FoundText[] = [];
  collect(value, path, found);
  return found;
}

/** Who decides is told of places, and no values: what is no name of a key, as a URL with a password is none, may be one. */
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
