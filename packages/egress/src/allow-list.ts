import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** One address of a host name. For a host that is an address, `name` is that address. Names are in lower case, without a trailing dot. */
interface Destination {
  name: string;
  address: string;
  port: number;
}

export type IsAllowed = (destination: Destination) => boolean;

// Matches `[v6]:port`, or a host without a colon and an optional port. Bare IPv6 addresses are handled before.
const HOST_AND_PORT = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/;
const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/**
 * Parses the entries of EGRESS_ALLOW: CIDRs (`10.0.0.0/8`), addresses and exact host names. Addresses and names may have a `:port`. A listed name is
 * allowed whatever it resolves to. Throws an Error with the first invalid entry.
 */
export function readAllowList(entries: string[]): IsAllowed {
  const rules = entries.map((entry) => entry.trim().toLowerCase()).map(toRule);
  return (destination) => rules.some((isAllowed) => isAllowed(destination));
}

function toRule(entry: string): IsAllowed {
  if (entry.includes('/')) return inRange(entry, entry);
  if (isIP(entry) !== 0) return inRange(toRange(entry), entry);

  const [, host = '', port] = HOST_AND_PORT.exec(entry) ?? [];
  if (Number(port) > 65_535) throw unreadable(entry);
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const isOpen = isIP(address) !== 0 ? inRange(toRange(address), entry) : isNamed(host, entry);
  return port === undefined ? isOpen : (to) => to.port === Number(port) && isOpen(to);
}

function toRange(address: string): string {
  return `${address}/${isIP(address) === 4 ? 32 : 128}`;
}

function inRange(range: string, entry: string): IsAllowed {
  if (!ipaddr.isValidCIDR(range) || isIP(range.slice(0, range.indexOf('/'))) === 0) throw unreadable(entry);
  const [network, bits] = ipaddr.parseCIDR(range);

  return ({ address }) => {
    if (isIP(address) === 0) return false;
    const parsed = ipaddr.parse(address);
    return parsed.kind() === network.kind() && parsed.match(network, bits);
  };
}

function isNamed(host: string, entry: string): IsAllowed {
  const name = host.replace(/\.$/, '');
  // A name with a last label of digits is a mistyped address, and URL parsers would read it as an address.
  if (!NAME.test(name) || /(^|\.)\d+$/.test(name)) throw unreadable(entry);
  return (to) => to.name === name;
}

function unreadable(entry: string): Error {
  return new Error(`EGRESS_ALLOW: "${entry}" is not a CIDR, an address or a host name (the last two may end in :port)`);
}

/** Parses EGRESS_ALLOW, a comma-separated list. Throws an Error with the first invalid entry. */
export function parseAllowList(text: string): string[] {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  readAllowList(entries);
  return entries;
}
