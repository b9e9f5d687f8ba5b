import { isIP } from 'node:net';

const ADDRESS_AND_PORT = /^(?:\[(?<six>[^\]]+)\]|(?<four>[^:]+)):(?<port>\d{1,5})$/;

/**
 * Parses DNS_SERVERS: a comma-separated list of `address` or `address:port` (`[address]:port` for IPv6), in the format of `dns.Resolver`. Throws an
 * Error that names the first invalid entry.
 */
export function parseNameServers(text: string): string[] {
  const entries = text.split(',').flatMap((entry) => entry.trim() || []);
  const wrong = entries.find((entry) => !isNameServer(entry));
  if (wrong !== undefined) throw new Error(`DNS_SERVERS: "${wrong}" is not an IP address (it may end in :port)`);
  return entries;
}

function isNameServer(entry: string): boolean {
  if (isIP(entry) !== 0) return true;
  const { six = '', four = '', port } = ADDRESS_AND_PORT.exec(entry)?.groups ?? {};
  const isPort = Number(port) > 0 && Number(port) <= 65_535;
  return isPort && (isIP(four) === 4 || isIP(six) === 6);
}
