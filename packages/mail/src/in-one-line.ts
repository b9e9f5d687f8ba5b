/** A name that somebody chose, as a subject or a sentence can hold it. */
export function inOneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}
