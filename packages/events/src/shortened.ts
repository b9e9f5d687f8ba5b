/** Returns the text, cut where it is longer than `most` UTF-16 code units, with its length: `abc… (8211 characters)`. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // A surrogate pair stays whole: half of one is no character.
  const end = /[\ud800-\udbff]/.test(text[most - 1]!) ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}
