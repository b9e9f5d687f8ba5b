import { EgressError } from './egress-error.js';
import { type Egress } from './egress.js';
import { toKeptUrl } from './outgoing.js';

/** Why a webhook can not be there, or undefined. What its name resolves to is looked at whenever something is sent. */
export function httpsProblem({ requireReachable }: Pick<Egress, 'requireReachable'>, url: string): string | undefined {
  try {
    requireReachable(url);
    return new URL(url).protocol === 'https:' ? undefined : 'must be a public HTTPS URL';
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
