import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

// Azure's host agent: a public number that every virtual machine reaches as its own metadata service.
const AZURE_WIRE_SERVER = '168.63.129.16';

/**
 * Whether `address` (dotted IPv4 or IPv6, as a resolver answers) is public unicast by IANA's special-purpose registries.
 * Every IPv4-in-IPv6 form is refused, the public ones too: where such a packet ends is up to the network.
 */
export function isPublic(address: string): boolean {
  // Stricter than ipaddr.js, which reads 010.8.8.8 as octal where the system may not.
  const version = isIP(address);
  if (version === 0) return false;
  if (version === 4) return ipaddr.IPv4.parse(address).range() === 'unicast' && address !== AZURE_WIRE_SERVER;

  const parsed = ipaddr.IPv6.parse(address);
  // range() calls ::a.b.c.d and the unassigned seven eighths of the space "unicast"; only 2000::/3 is given out.
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST);
}
