import { shortestOf } from './storage-paths.js';

/**
 * The values that any policy of an organization denies. The values of a call are compared with this set once, which usually leaves few or
 * none, and only those are compared with the list of each policy.
 */
export interface Sought {
  recipients: Set<string>;
  domains: Set<string>;
  prefixes: Set<string>;
  shortestPrefixes(): readonly string[];
}

/** Returns an empty set, which rules fill when they are compiled. */
export function nothingSought(): Sought {
  const prefixes = new Set<string>();
  let shortest: readonly string[] | undefined;
  return {
    recipients: new Set(),
    domains: new Set(),
    prefixes,
    shortestPrefixes: () => (shortest ??= shortestOf(prefixes)),
  };
}
