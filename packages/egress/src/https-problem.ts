import { EgressError } from './egress-error.js';
import { type Egress } from './egress.js';

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
