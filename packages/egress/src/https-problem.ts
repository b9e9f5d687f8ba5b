import { EgressError } from './egress-error.js';
import { type Egress } from './egress.js';
import { toKeptUrl } from './outgoing.js';

/** Returns why a webhook cannot be sent to a URL, or undefined: it must be public HTTPS. The addresses of a name are checked whenever something is sent. */
export function httpsProblem(egress: Pick<Egress, 'requireReachable'>, url: string): string | undefined {
  const problem = unreachable(egress, url);
  if (problem !== undefined) return `must be a public HTTPS URL: ${problem}`;
  return new URL(url).protocol === 'https:' ? undefined : 'must be a public HTTPS URL';
}

/** The same for callbacks of triggers, which may use http for an address that EGRESS_ALLOW lists: a developer's own machine receives them. */
export function callbackProblem(
  egress: Pick<Egress, 'requireReachable' | 'isListed'>,
  url: string,
): string | undefined {
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: '', origin: '' };
  if (protocol !== 'http:') return httpsProblem(egress, url);
  // Only the origin is quoted: a path or a query may hold a secret.
  if (!egress.isListed(url))
    return `must use https (got ${origin}). For local development list the address in EGRESS_ALLOW.`;
  return unreachable(egress, url);
}

function unreachable({ requireReachable }: Pick<Egress, 'requireReachable'>, url: string): string | undefined {
  try {
    requireReachable(url);
    return undefined;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return error.reason;
  }
}

/** Whether a text is a whole http or https URL, without credentials, spaces or control characters: one that is kept as it was given. */
export function isKeptUrl(text: string): boolean {
  try {
    return toKeptUrl(text).href !== '';
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return false;
  }
}
