import { nestsDeeper } from '@drawbridge/contracts';

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue | undefined };

/** Thrown if a JSON text is invalid, too large or nested too deeply, or contains a key that would change the prototype of an object. */
export class JsonLimitError extends Error {
  override readonly name = 'JsonLimitError';
}

/**
 * Matches a key `__proto__`, also with escapes and white space, because hostile code chooses the spelling. In a JSON string, a backslash precedes each
 * quote, so the expression matches no string value.
 */
const PROTO_KEY = new RegExp(`[{,]\\s*"${[...'__proto__'].map(spellings).join('')}"\\s*:`);

/** Parses a JSON text within the limits. Throws JsonLimitError. `what` is the subject of the error message. */
export function parseJson(text: string, what: string, limits: { bytes: number; depth: number }): JsonValue {
  requireJsonLimits(text, what, limits);
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new JsonLimitError(`${what} is not valid JSON`, { cause });
  }
}

/** Throws JsonLimitError if a text exceeds the limits. */
export function requireJsonLimits(
  text: string,
  what: string,
  { bytes, depth }: { bytes: number; depth: number },
): void {
  // Each character has at least one byte, so a text with too many characters need not be measured.
  const size = text.length > bytes ? text.length : Buffer.byteLength(text);
  if (size > bytes) throw new JsonLimitError(`${what} has more than ${bytes} bytes`);
  if (nestsDeeper(text, depth)) throw new JsonLimitError(`${what} has more than ${depth} levels`);
  if (PROTO_KEY.test(text)) throw new JsonLimitError(`${what} has a key __proto__`);
}

/** Returns an expression for a character as itself and as an escape of JSON. */
function spellings(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(4, '0');
  return `(?:${character}|\\\\u${hex.replace('f', '[fF]')})`;
}
