/** They say who asks, not what happened. */
const NEVER = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** What is kept of a request's headers until it is looked into: none that holds what it was verified with. */
export function keptHeaders(headers: Readonly<Record<string, string>>, secret: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => !NEVER.has(name) && !value.includes(secret)),
  );
}
