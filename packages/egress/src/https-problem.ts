import { EgressError } from './egress-error.js';
import { type Egress } from './egress.js';
import { toKeptUrl } from './outgoing.js';

/**
 * Returns why a webhook cannot be sent to a URL, or undefined. It must be https; http is for addresses that EGRESS_ALLOW lists, so that a developer's
 * own machine can receive events. The addresses of a name are checked whenever something is sent.
 */
export function httpsProblem(egress: Pick<Egress, 'requireReachable' | 'isListed'>, url: string): string | undefined {
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: '', origin: '' };
  if (protocol === 'http:' && !egress.isListed(url)) {
    // Only its origin is quoted: a path or a query may hold a secret.
    return `must use https (got ${origin}). For local development list the address in EGRESS_ALLOW.`;
  }
  try {
    egress.requireReachable(url);
    return undefined;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return `must be a public HTTPS URL: ${error.reason}`;
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
