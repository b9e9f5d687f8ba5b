/** Returns the text, cut if it is longer than `most` UTF-16 code units, with its length: `abc… (8211 characters)`. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Do not split a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text[most - 1]!) ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}
