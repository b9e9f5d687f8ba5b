import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_BYTES = 8;

/** Returns the key by which a client is counted: its IPv4 address, or the /64 of its IPv6 address, which is the size that one subscriber gets. */
export function clientNetwork(address = ''): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray();
  return parsed.kind() === 'ipv4' ? bytes.join('.') : `${bytes.slice(0, IPV6_NETWORK_BYTES).join('.')}/64`;
}
