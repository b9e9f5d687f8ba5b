import { connectedHost, MAX_HOST_CHARACTERS, parseUrl, toHost } from '@drawbridge/contracts';
import { authoritiesIn, type Authority } from './url-authorities.js';
import { type FoundText } from './read-input.js';

/** Matches a host at the beginning of a string that continues with other characters. */
const HOST_PREFIX = /^(?:\[[\da-f:.]+\]|[\p{L}\p{N}\p{M}\p{Cf}._%。．｡-]+)/iu;
/** Matches an authority of plain ASCII characters, which the URL parser reads in one pass. */
const CHEAP = /^[\w.:-]*$/;
const MAPPED_IPV4 = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/;

/**
 * Maximum length of a DNS name. A longer host is not read, because every policy compares all parent domains of a host, and a long host can have many.
 */
const MAX_NAME_CHARACTERS = 253;
/** Maximum number of hosts of one call that rules read. */
const MAX_HOSTS = 1_000;
/** Maximum number of authorities (hosts with their port) of one call that are parsed. Each needs at most one call of the URL parser. */
const MAX_AUTHORITIES = 10_000;
/** Maximum total number of characters in hosts that are not plain ASCII. The URL parser needs up to 10 µs for each such character. */
const MAX_PARSED_CHARACTERS = 50_000;

export interface FoundHost {
  /** The host and all its parent domains: `a.acme.com`, `acme.com`, `com`. */
  domains: readonly string[];
  /** The path of the first occurrence of the host. */
  path: string;
}

export interface Hosts {
  /** The hosts in order of occurrence, up to MAX_HOSTS. */
  hosts: readonly FoundHost[];
  /** The path of the first occurrence of each host and each parent domain. */
  places: ReadonlyMap<string, string>;
  /** True if a limit was reached, so that some hosts were not read. */
  areTooMany: boolean;
  /** The path of the first host that is too long to parse. */
  unreadable?: string;
}

/** Returns the host of every URL and email address in these strings, in the form to which an outgoing request would connect. */
export function hostsOf(texts: readonly FoundText[]): Hosts {
  const finder = new HostFinder();
  for (const { text, path } of texts) {
    for (const authority of authoritiesIn(text)) {
      finder.add(authority, path);
      if (finder.areTooMany) return finder.found();
    }
  }
  return finder.found();
}

class HostFinder {
  private readonly hosts = new Map<string, FoundHost>();
  private readonly places = new Map<string, string>();
  private readonly seen = new Set<string>();
  private unreadable: string | undefined;
  private parsed = 0;

  get areTooMany(): boolean {
    const { hosts, seen, parsed } = this;
    return hosts.size > MAX_HOSTS || seen.size > MAX_AUTHORITIES || parsed > MAX_PARSED_CHARACTERS;
  }

  found(): Hosts {
    const { places, areTooMany, unreadable } = this;
    return { hosts: [...this.hosts.values()], places, areTooMany, unreadable };
  }

  add({ written, mustHaveDot = false }: Authority, path: string): void {
    if (written.length > MAX_HOST_CHARACTERS) this.unreadable ??= path;
    const hostAndPort = written.slice(written.lastIndexOf('@') + 1);
    // Both kinds have a prefix. With a prefix for only one of them, a caller could write it to hide the other.
    const key = `${mustHaveDot ? 'name' : 'url'}:${hostAndPort}`;
    if (written.length > MAX_HOST_CHARACTERS || hostAndPort === '' || this.seen.has(key)) return;
    this.seen.add(key);
    for (const host of this.hostsIn(hostAndPort))
      if (!mustHaveDot || /[.[]/.test(host) || hostAndPort.includes(':')) this.addHost(host, path);
  }

  /**
   * Returns the host that the URL parser reads. If that is not an ordinary host, also returns the host at the beginning of the string, because the
   * string can continue with other characters after the host.
   */
  private hostsIn(hostAndPort: string): string[] {
    if (!CHEAP.test(hostAndPort)) this.parsed += hostAndPort.length;
    const usual = toHost(hostAndPort);
    if (usual !== undefined) return [usual];
    const url = parseUrl(`http://${hostAndPort}`);
    const exact = url && connectedHost(url);
    const isUsual = exact !== undefined && toHost(exact) !== undefined;
    const prefix = isUsual ? undefined : toHost(HOST_PREFIX.exec(hostAndPort)?.[0] ?? '');
    return [exact, prefix].filter((host): host is string => host !== undefined && host !== '');
  }

  private addHost(host: string, path: string): void {
    if (this.hosts.has(host)) return;
    if (host.length > MAX_NAME_CHARACTERS) return void (this.unreadable ??= path);
    const domains = domainsOf(host);
    this.hosts.set(host, { domains, path });
    for (const domain of domains) if (!this.places.has(domain)) this.places.set(domain, path);
  }
}

/**
 * Returns the host and all its parent domains. For an IPv6 address that maps an IPv4 address, also returns the IPv4 address, because both connect to
 * the same machine.
 */
function domainsOf(host: string): string[] {
  const mapped = MAPPED_IPV4.exec(host);
  if (mapped) return [host, toIpv4(mapped.slice(1))];
  const domains = [host];
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) domains.push(host.slice(dot + 1));
  return domains;
}

function toIpv4(words: readonly string[]): string {
  const numbers = words.map((word) => parseInt(word, 16));
  return numbers.flatMap((word) => [word >> 8, word & 255]).join('.');
}
