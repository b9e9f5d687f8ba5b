import { cutText } from '@drawbridge/contracts';

class ProviderProblem extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Thrown if the provider rejects the request or its response cannot be trusted. `code` is a code of the provider or of RFC 6749. `message` may be
 * shown to users.
 */
export class OAuthRefusal extends ProviderProblem {
  override readonly name = 'OAuthRefusal';
}

/** Thrown if the provider could not be reached or its response is unclear. A retry may succeed. */
export class OAuthFault extends ProviderProblem {
  override readonly name = 'OAuthFault';
}

const MAX_WORDS = 500;
/** The minimum length of a line of a multi-line key that counts as a secret. Shorter lines also occur in harmless texts. */
const SHORTEST_LINE = 16;

/**
 * Returns true if a string contains none of the secrets and none of their lines, plain or encoded, ignoring white space. Finds only secrets that
 * start in the first `within` characters. Otherwise the cost would be the product of the sizes of the string and the secrets, and a user can choose
 * both sizes.
 */
export function isFree(text: string, secrets: readonly string[], within: number): boolean {
  const said = squeezed(text);
  const sought = secrets.flatMap(parts).flatMap(forms).map(squeezed);
  return sought.every((form) => form === '' || !said.slice(0, within + form.length).includes(form));
}

/** Returns the beginning of a message of the provider on one line, or undefined if the message quotes a secret that was sent to the provider. */
export function shownWords(text: string | undefined, secrets: readonly string[]): string | undefined {
  const words = text?.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  // A code point has up to two UTF-16 units, and white space is ignored, so a secret that starts in the shown part starts within this limit.
  return words && isFree(words, secrets, 2 * MAX_WORDS) ? cutText(words, MAX_WORDS) : undefined;
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
