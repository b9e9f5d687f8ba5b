import { shortestOf } from './storage-paths.js';

/**
 * What any of an organization's policies denies. What is found in a call is compared with this once; hardly anything is left over, and only
 * with that each policy compares its own list.
 */
export interface Sought {
  recipients: Set<string>;
  domains: Set<string>;
  prefixes: Set<string>;
  shortestPrefixes(): readonly string[];
}

/** Rules add to it as they are prepared. */
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
