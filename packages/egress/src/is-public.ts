import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

// Azure's host agent has a public address, under which every virtual machine reaches its metadata service.
const AZURE_WIRE_SERVER = '168.63.129.16';

/**
 * Returns whether `address` (dotted IPv4, or IPv6) is public unicast by IANA's special-purpose registries. Refuses every IPv4-in-IPv6 form, even of
 * public addresses: the network decides where such a packet goes.
 */
export function isPublic(address: string): boolean {
  // Stricter than ipaddr.js, which reads 010.8.8.8 as octal while the system may not.
  const version = isIP(address);
  if (version === 0) return false;
  if (version === 4) return ipaddr.IPv4.parse(address).range() === 'unicast' && address !== AZURE_WIRE_SERVER;

  const parsed = ipaddr.IPv6.parse(address);
  // range() also returns "unicast" for ::a.b.c.d and for unassigned space; only 2000::/3 is allocated.
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST);
}
