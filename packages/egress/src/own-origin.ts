import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { EgressError } from './egress-error.js';

/** Where the gateway is reached. Nothing is sent there: a piece could open a hosted approval link and decide it. */
export interface OwnOrigin {
  /** BASE_URL; '' where none is set. */
  baseUrl: string;
  /** OWN_ORIGINS: further origins of the gateway. */
  others: string[];
  /** Of the gateway on this machine; 0 where it does not listen here. */
  port: number;
}

/** What a connection would be opened to. The name is lower case, without a dot at its end. */
export interface Target {
  protocol: string;
  name: string;
  port: number;
}

export interface OwnPlaces {
  /** Throws EGRESS_DENIED for an address on which the gateway listens, and for its name. */
  refuse(target: Target, addresses: string[]): void;
  /** The same, for a name that resolves to the address of BASE_URL as well. */
  refuseResolved(target: Target, addresses: string[], resolve: (name: string) => Promise<string[]>): Promise<void>;
}

interface Place {
  name: string;
  ports: number[];
}

// Each form of IPv6 that a network may translate to IPv4, and so perhaps to this machine.
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
      // By https a server proves the name that was asked for: another site behind the same load balancer is another site. An address proves no site.
      if (target.protocol !== 'http:' && isIP(target.name) === 0) return;
      const named = placesAt(target.port).filter(({ name }) => isIP(name) === 0);
      // Where the name does not resolve from here, no other name can be compared with it.
      const own = await Promise.all(named.map(({ name }) => resolve(name).catch(() => [])));
      if (own.flat().some((address) => addresses.some(isSameAs(address)))) throw ownAddress();
    },
  };
}

/** OWN_ORIGINS as operators write it: a comma list. Throws an Error that names the first entry that is not an origin. */
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

/** Without a port in it both default ports are the gateway's: a proxy that speaks TLS usually answers on 80 as well. */
function toPlace(url: string): Place {
  const { hostname, port } = new URL(url);
  const name = hostname.replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1');
  return { name, ports: port === '' ? [80, 443] : [Number(port)] };
}

/** Returns whether an address leads to the same machine. Every address of this machine leads to it, whichever one is given. */
function isSameAs(text: string): (address: string) => boolean {
  const isEqual = isAddress(text);
  return (address) => isEqual(address) || (isLocal(text) && isLocal(address));
}

/** Compares in one spelling. A name is equal to no address. */
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
  return new EgressError('EGRESS_DENIED', "this is the gateway's own address, to which Drawbridge sends no requests");
}
