/**
 * Returns the first `max` code points of a string. The result is well-formed, as URLs, headers and databases require: it contains no lone surrogate,
 * even if the input does.
 */
export function cutText(text: string, max: number): string {
  const units = text.length <= max ? text.length : unitsOf(text, max);
  return text.slice(0, units).toWellFormed();
}

/** Returns the longest prefix of whole characters that has at most `max` bytes in UTF-8. */
export function cutBytes(text: string, max: number): string {
  const wellFormed = text.slice(0, max + 1).toWellFormed();
  return wellFormed.slice(0, new TextEncoder().encodeInto(wellFormed, new Uint8Array(max)).read);
}

/** Returns the number of UTF-16 units of the first `points` code points, in time proportional to `points`, however long the string is. */
function unitsOf(text: string, points: number): number {
  let units = 0;
  for (let seen = 0; seen < points && units < text.length; seen++) units += text.codePointAt(units)! > 0xffff ? 2 : 1;
  return units;
}

/** Replaces what PostgreSQL cannot store in text and jsonb: NUL characters and unpaired surrogates. */
export const toStorable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();
