import { cutText } from '@drawbridge/contracts';

const MAX_WORDS = 500;

/** Whether none of these stands in a text, as it is or encoded. */
export function isFree(text: string, secrets: readonly string[]): boolean {
  return secrets
    .filter((secret) => secret !== '')
    .every((secret) => forms(secret).every((form) => !text.includes(form)));
}

/** A provider's own words, on one line, unless they quote what it was sent. */
export function shownWords(text: string | undefined, secrets: readonly string[]): string | undefined {
  const words = text?.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return words && isFree(words, secrets) ? cutText(words, MAX_WORDS) : undefined;
}

function forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  return [secret, encodeURIComponent(secret), base64, bytes.toString('base64url'), bytes.toString('hex')];
}
