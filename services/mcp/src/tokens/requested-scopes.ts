import { ApiError, invalid } from '@drawbridge/contracts';
import { scopesOf } from './scopes.js';

const KNOWN = scopesOf('CODE');

/** Returns the scopes of a new token; without a request, all scopes of the mode. Throws VALIDATION_ERROR and INVALID_MCP_SCOPES. */
export function requestedScopes(asked: readonly unknown[] | undefined, mode: string): string[] {
  const offered = scopesOf(mode);
  if (asked === undefined) return offered;
  if (asked.length === 0) throw invalid({ scopes: 'must not be empty' });
  const unknown = asked.flatMap((scope, index) => (KNOWN.some((one) => one === scope) ? [] : [index]));
  if (unknown.length > 0)
    throw invalid(
      Object.fromEntries(unknown.map((index) => [`scopes[${index}]`, `must be one of ${KNOWN.join(', ')}`])),
    );
  const lacking = asked.find((scope) => !offered.some((one) => one === scope));
  if (lacking !== undefined)
    throw new ApiError('INVALID_MCP_SCOPES', `A server of mode ${mode} has no scope ${String(lacking)}`);
  return KNOWN.filter((scope) => asked.includes(scope));
}
