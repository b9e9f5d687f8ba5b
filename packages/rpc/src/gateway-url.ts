import { type Config, type GATEWAY_VARIABLES } from './variables.js';

/** Returns the URL by which callers and browsers reach the gateway: BASE_URL, else HOST and PORT. */
export function gatewayUrl({ BASE_URL, HOST, PORT }: Config<typeof GATEWAY_VARIABLES>): string {
  return BASE_URL || `http://${reachable(HOST)}:${PORT}`;
}

/** A browser cannot open a wildcard address, and needs brackets around an IPv6 address. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
