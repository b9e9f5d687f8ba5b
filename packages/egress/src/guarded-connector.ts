import { isIP, Socket } from 'node:net';
import { connectedHost } from '@drawbridge/contracts';
import { type TenantLimiter } from '@drawbridge/turns';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { type IsAllowed } from './allow-list.js';
import { type ConnectionUse, type OpenSocket } from './connection-pool.js';
import { codeOf, EgressError } from './egress-error.js';
import { type OwnPlaces, type Target } from './own-origin.js';
import { withTimeLimit } from './time-limit.js';

/** Returns every address of a host name in lower case. It is called once per new connection, and stops when the signal aborts. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;

/** Opens one connection to a checked address, including the TLS handshake. `servername` is '' if the host is an address. */
export type Connect = (to: {
  protocol: 'http:' | 'https:';
  address: string;
  port: number;
  servername: string;
  signal: AbortSignal;
}) => Promise<Socket>;

interface ConnectorOptions {
  isAllowed: IsAllowed;
  own: OwnPlaces;
  resolve: Resolve;
  connect: Connect;
  /** Limits the number of DNS look-ups. */
  questions: TenantLimiter;
}

const ONE_ADDRESS_TIMEOUT_MS = 5_000;
/** Time limit for opening a connection, including the DNS look-up and the attempts for all addresses of the name. */
const OPENING_TIMEOUT_MS = 15_000;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Returns the function with which undici opens every outgoing connection. The function resolves the host, checks all addresses, and connects to
 * exactly those addresses. Unlike a `lookup` hook it also checks hosts that are addresses.
 */
export function guardedConnector(guard: ConnectorOptions): OpenSocket {
  return async (options, { tenant, signal }) => {
    const { limit, end } = withTimeLimit(OPENING_TIMEOUT_MS, signal);
    try {
      return await openChecked(options, guard, { tenant, signal: limit.signal });
    } finally {
      end();
    }
  };
}

/** Returns a function that opens connections. It always verifies certificates, even if NODE_TLS_REJECT_UNAUTHORIZED disables that. */
export function systemConnect(): Connect {
  const open = buildConnector({ timeout: ONE_ADDRESS_TIMEOUT_MS, rejectUnauthorized: true });
  return ({ protocol, address, port, servername, signal }) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        // The connector returns the socket, although its type does not declare it. If the socket were not destroyed, an aborted handshake would
        // continue.
        if (opening instanceof Socket) opening.destroy(signal.reason);
      };
      const to = { protocol, hostname: address, port: String(port), servername };
      const opening: unknown = open(to, (error, socket) => {
        signal.removeEventListener('abort', stop);
        if (error === null) resolve(socket);
        else reject(error);
      });
      signal.addEventListener('abort', stop);
    });
}

async function openChecked(
  options: buildConnector.Options,
  guard: ConnectorOptions,
  use: ConnectionUse,
): Promise<Socket> {
  const protocol = options.protocol === 'https:' ? 'https:' : 'http:';
  const { name, port } = toPlace(options);
  const addresses = await checkedAddresses({ protocol, name, port }, guard, use);
  const servername = isIP(name) === 0 ? name : '';

  let failure: unknown;
  for (const address of addresses) {
    if (use.signal.aborted) break;
    try {
      return await guard.connect({ protocol, address, port, servername, signal: use.signal });
    } catch (error) {
      failure = error;
    }
  }
  throw new EgressError('UNREACHABLE', `no connection (${codeOf(failure ?? use.signal.reason)})`);
}

interface Place {
  /** The host to connect to. An IPv6 address has no brackets. */
  name: string;
  port: number;
}

function toPlace({ hostname, port, protocol }: { hostname: string; port: string; protocol: string }): Place {
  const name = connectedHost({ hostname }).replace(/^\[(.*)\]$/, '$1');
  return { name, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
}

/** Throws EGRESS_DENIED if the host is localhost or an address that is denied. The addresses of any other name are checked after it is resolved. */
export function requireOpen(url: URL, { isAllowed, own }: Pick<ConnectorOptions, 'isAllowed' | 'own'>): void {
  const place = toPlace(url);
  const answers = writtenAddresses(place.name);
  own.refuse({ protocol: url.protocol, ...place }, answers ?? []);
  if (answers) openAddresses(place, answers, isAllowed);
}

/** Returns whether `isListed` contains the host of a URL as written. Does not use DNS. */
export function isWrittenIn(url: URL, isListed: IsAllowed): boolean {
  const place = toPlace(url);
  const addresses = writtenAddresses(place.name) ?? [place.name];
  return addresses.some((address) => isListed({ ...place, address }));
}

async function checkedAddresses(target: Target, guard: ConnectorOptions, use: ConnectionUse): Promise<string[]> {
  guard.own.refuse(target, []);
  const addressesOf = async (name: string) => writtenAddresses(name) ?? (await resolved(name, guard, use));
  const answers = await addressesOf(target.name);
  await guard.own.refuseResolved(target, answers, addressesOf);
  return openAddresses(target, answers, guard.isAllowed);
}

/** Returns addresses that need no DNS. localhost and names below it are loopback, whatever a resolver returns (RFC 6761 §6.3). */
function writtenAddresses(name: string): string[] | undefined {
  if (isLocalhost(name)) return LOOPBACK;
  return isIP(name) === 0 ? undefined : [name];
}

function isLocalhost(name: string): boolean {
  return /(^|\.)localhost$/.test(name);
}

function openAddresses({ name, port }: Place, answers: string[], isAllowed: IsAllowed): string[] {
  const open = answers.filter((address) => isPublic(address) || isAllowed({ name, address, port }));

  // One forbidden address denies the whole name: a name that resolves to public and private addresses is an attack or a mistake. Only localhost is
  // exempt: both of its addresses are this machine, so allowing 127.0.0.0/8 is enough.
  if (open.length === 0 || (open.length < answers.length && !isLocalhost(name))) {
    throw new EgressError('EGRESS_DENIED', 'not a public address');
  }
  return open;
}

async function resolved(
  name: string,
  { resolve, questions }: ConnectorOptions,
  { tenant, signal }: ConnectionUse,
): Promise<string[]> {
  const endTurn = await questions.acquire(tenant, signal);
  const answers = await resolve(name, signal)
    .catch((error: unknown) => {
      throw new EgressError('UNREACHABLE', `the name does not resolve (${codeOf(error)})`);
    })
    .finally(endTurn);
  if (answers.length === 0) throw new EgressError('UNREACHABLE', 'the name does not resolve');
  return answers;
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

// Azure's host agent has a public address, at which every virtual machine reaches its metadata service.
const AZURE_WIRE_SERVER = '168.63.129.16';

/**
 * Returns whether `address` (dotted IPv4, or IPv6) is public unicast by IANA's special-purpose registries. IPv4 addresses embedded in IPv6 are never
 * public, because the network determines where their packets go.
 */
function isPublic(address: string): boolean {
  // Rejects addresses such as 010.8.8.8, which ipaddr.js reads as octal and the operating system may read as decimal.
  const version = isIP(address);
  if (version === 0) return false;
  if (version === 4) return ipaddr.IPv4.parse(address).range() === 'unicast' && address !== AZURE_WIRE_SERVER;

  const parsed = ipaddr.IPv6.parse(address);
  // range() also returns "unicast" for ::a.b.c.d and for unassigned space; only 2000::/3 is allocated.
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST);
}
