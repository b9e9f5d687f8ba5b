import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { EgressError } from './egress-error.js';

/**
 * The addresses of the gateway. Requests to them are denied, because otherwise a piece (the code of an integration) could open a hosted approval link
 * and approve its own request.
 */
export interface OwnOrigin {
  /** The value of BASE_URL; '' if it is not set. */
  baseUrl: string;
  /** The value of OWN_ORIGINS: further origins of the gateway. */
  others: string[];
  /** The gateway's port on this machine; 0 if the gateway does not listen on this machine. */
  port: number;
}

/** The destination of a connection. The name is in lower case, without a trailing dot. */
export interface Target {
  protocol: string;
  name: string;
  port: number;
}

export interface OwnPlaces {
  /** Throws EGRESS_DENIED if the target or an address belongs to the gateway. */
  refuse(target: Target, addresses: string[]): void;
  /** Throws as `refuse` does, and also if the target's name resolves to an address of the gateway's name. */
  refuseResolved(target: Target, addresses: string[], resolve: (name: string) => Promise<string[]>): Promise<void>;
}

interface Place {
  name: string;
  ports: number[];
}

// The ranges of IPv6 addresses that a network may translate to IPv4, and therefore possibly to this machine.
const TRANSLATED = ['::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16'].map(
  (range) => ipaddr.IPv6.parseCIDR(range),
);

export function ownPlaces({ baseUrl, others, port }: OwnOrigin): OwnPlaces {
  const places = [baseUrl, ...others].filter((url) => url !== '').map(toPlace);
  const placesAt = (at: number): Place[] => places.filter(({ ports }) => ports.includes(at));

  const refuse: OwnPlaces['refuse'] = (target, addresses) => {
    const isNamed = placesAt(target.port).some(({ name }) => name === target.name || addresses.some(isSameAs(name)));
    if (isNamed || (target.port === port && addresses.some(isLocal))) throw ownAddress();
  };
  return {
    refuse,
    async refuseResolved(target, addresses, resolve) {
      refuse(target, addresses);
      // With https a server proves the requested name by its certificate, so another site behind the gateway's load balancer is distinguishable from
      // the gateway. A target that uses http or an address proves no name.
      if (target.protocol !== 'http:' && isIP(target.name) === 0) return;
      const named = placesAt(target.port).filter(({ name }) => isIP(name) === 0);
      // If the gateway's name does not resolve on this machine, it cannot be compared.
      const own = await Promise.all(named.map(({ name }) => resolve(name).catch(() => [])));
      if (own.flat().some((address) => addresses.some(isSameAs(address)))) throw ownAddress();
    },
  };
}

/** Parses OWN_ORIGINS, a comma-separated list. Throws an Error with the first entry that is not an origin. */
export function parseOwnOrigins(text: string): string[] {
  const entries = text.split(',').flatMap((entry) => entry.trim() || []);
  const wrong = entries.find((entry) => !isOrigin(entry));
  if (wrong !== undefined) throw new Error(`"${wrong}" is not an http or https origin such as http://gateway:8080`);
  return entries;
}

function isOrigin(entry: string): boolean {
  if (!URL.canParse(entry)) return false;
  const { protocol, origin, href } = new URL(entry);
  return /^https?:$/.test(protocol) && href === `${origin}/`;
}

/** A URL without a port includes both default ports, because a TLS proxy usually listens on port 80 as well. */
function toPlace(url: string): Place {
  const { hostname, port } = new URL(url);
  const name = hostname.replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1');
  return { name, ports: port === '' ? [80, 443] : [Number(port)] };
}

/** Returns a function that tests whether an address belongs to the same machine as `text`. All local addresses belong to the same machine. */
function isSameAs(text: string): (address: string) => boolean {
  const isEqual = isAddress(text);
  return (address) => isEqual(address) || (isLocal(text) && isLocal(address));
}

/** Returns a function that compares addresses in canonical form. A name never equals an address. */
function isAddress(text: string): (address: string) => boolean {
  const canonical = canonicalOf(text);
  return (address) => canonical !== undefined && canonicalOf(address) === canonical;
}

function canonicalOf(text: string): string | undefined {
  return isIP(text) === 0 ? undefined : ipaddr.process(text).toNormalizedString();
}

function isLocal(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (['loopback', 'unspecified'].includes(parsed.range())) return true;
  if (parsed instanceof ipaddr.IPv6 && TRANSLATED.some((range) => parsed.match(range))) return true;
  const interfaces = Object.values(networkInterfaces()).flatMap((list = []) => list);
  return interfaces.some((own) => isAddress(own.address)(address));
}

function ownAddress(): EgressError {
  return new EgressError(
    'EGRESS_DENIED',
    "the URL is the gateway's own address, and Drawbridge sends no requests to itself",
  );
}
