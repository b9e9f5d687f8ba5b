import { EgressError } from './egress-error.js';
import { type Egress } from './egress.js';
import { toKeptUrl } from './request-and-redirects.js';

/** Returns why a webhook URL is refused, or undefined: it must be public HTTPS. The addresses of a name are checked again for each request. */
export function httpsProblem(egress: Pick<Egress, 'requireReachable'>, url: string): string | undefined {
  const problem = unreachable(egress, url);
  if (problem !== undefined) return `must be a public HTTPS URL: ${problem}`;
  return new URL(url).protocol === 'https:' ? undefined : 'must be a public HTTPS URL';
}

/**
 * Returns why a trigger's callback URL is refused, or undefined. It may use http if EGRESS_ALLOW lists the address, so that a developer's own
 * machine can receive callbacks.
 */
export function callbackProblem(
  egress: Pick<Egress, 'requireReachable' | 'isListed'>,
  url: string,
): string | undefined {
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: '', origin: '' };
  if (protocol !== 'http:') return httpsProblem(egress, url);
  // Quote only the origin: path and query may contain a secret.
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

/** Returns whether the text is an absolute http or https URL without credentials, spaces or control characters, so that it can be stored as given. */
export function isKeptUrl(text: string): boolean {
  try {
    return toKeptUrl(text).href !== '';
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return false;
  }
}
