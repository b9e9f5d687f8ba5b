import { type JsonValue } from '@drawbridge/piece-kit';

interface FoundText {
  text: string;
  /** `to[0].email` */
  path: string;
}

/** Every text in a value, keys too, with its place. */
export function textsOf(value: JsonValue, path = ''): FoundText[] {
  const found: FoundText[] = [];
  collect(value, path, found);
  return found;
}

function collect(value: JsonValue | undefined, path: string, found: FoundText[]): void {
  if (typeof value === 'string') found.push({ text: value, path });
  else if (Array.isArray(value)) value.forEach((item, index) => collect(item, `${path}[${index}]`, found));
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const place = path === '' ? key : `${path}.${key}`;
      found.push({ text: key, path: place });
      collect(inner, place, found);
    }
  }
}
