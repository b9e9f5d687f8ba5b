import { cutText } from '@drawbridge/contracts';

class ProviderProblem extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The provider refused, or its answer cannot be trusted. `code` is the provider's, or one of RFC 6749; `message` can be shown to users. */
export class OAuthRefusal extends ProviderProblem {
  override readonly name = 'OAuthRefusal';
}

/** The provider could not be reached, or gave no clear answer: a retry may succeed. */
export class OAuthFault extends ProviderProblem {
  override readonly name = 'OAuthFault';
}

const MAX_WORDS = 500;
/** The shortest line of a key that counts as secret; shorter ones also appear in other texts. */
const SHORTEST_LINE = 16;

/**
 * Returns whether a text contains none of the secrets and no line of one, plain or encoded, ignoring white space. Only secrets that begin in the first
 * `within` characters are found: otherwise the cost would be the product of the sizes of the text and of the secrets, and a person can choose both.
 */
export function isFree(text: string, secrets: readonly string[], within: number): boolean {
  const said = squeezed(text);
  const sought = secrets.flatMap(parts).flatMap(forms).map(squeezed);
  return sought.every((form) => form === '' || !said.slice(0, within + form.length).includes(form));
}

/** Returns the beginning of the provider's message on one line, unless it quotes a secret that was sent to it. */
export function shownWords(text: string | undefined, secrets: readonly string[]): string | undefined {
  const words = text?.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  // A code point has up to two units. White space is not counted, so a secret that begins in the shown part begins within as many.
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
