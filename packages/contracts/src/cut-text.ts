/**
 * The first `max` code points of a text. Never half a character, and never a lone surrogate, not even one that was there
 * before: what URLs, headers and databases are given must be well-formed.
 */
export function cutText(text: string, max: number): string {
  const units = text.length <= max ? text.length : unitsOf(text, max);
  return text.slice(0, units).toWellFormed();
}

/** The longest beginning of a text that takes at most `max` bytes of UTF-8, as whole characters. */
export function cutBytes(text: string, max: number): string {
  const wellFormed = text.slice(0, max + 1).toWellFormed();
  return wellFormed.slice(0, new TextEncoder().encodeInto(wellFormed, new Uint8Array(max)).read);
}

/** UTF-16 units of its first `points` code points: as slow as these are many, however long the text. */
function unitsOf(text: string, points: number): number {
  let units = 0;
  for (let seen = 0; seen < points && units < text.length; seen++) units += text.codePointAt(units)! > 0xffff ? 2 : 1;
  return units;
}
