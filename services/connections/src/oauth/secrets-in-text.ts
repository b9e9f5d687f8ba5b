import { cutText } from '@drawbridge/contracts';

const MAX_WORDS = 500;
/** Characters of a line of a key that tell something of it; what is shorter stands in other texts, too. */
const SHORTEST_LINE = 16;

/** Whether none of these stands in a text, nor a line of one, as it is or encoded, whatever became of its spaces and ends of lines. */
export function isFree(text: string, secrets: readonly string[]): boolean {
  const said = squeezed(text);
  const sought = secrets.flatMap(parts).flatMap(forms).map(squeezed);
  return sought.every((form) => form === '' || !said.includes(form));
}

/** A provider's own words, on one line, unless they quote what it was sent. */
export function shownWords(text: string | undefined, secrets: readonly string[]): string | undefined {
  const words = text?.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return words && isFree(words, secrets) ? cutText(words, MAX_WORDS) : undefined;
}

function squeezed(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, '');
}

function parts(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/);
  return lines.length > 1 ? [secret, ...lines.filter((line) => line.length >= SHORTEST_LINE)] : [secret];
}

function forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [secret, inJson, encodeURIComponent(secret), base64, bytes.toString('base64url'), bytes.toString('hex')];
}
