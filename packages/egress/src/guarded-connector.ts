import { isIP, type Socket } from 'node:net';
import { lookup } from 'node:dns/promises';
import { buildConnector } from 'undici';
import type { IsAllowed } from './allow-list.js';
import { codeOf, EgressError } from './egress-error.js';
import { isPublic } from './is-public.js';

/** Every address of a host name, asked once for each new connection. */
export type Resolve = (host: string) => Promise<string[]>;

/** Opens one connection, TLS handshake included, to an address that was checked. `servername` is '' for a literal. */
export type Connect = (to: {
  protocol: 'http:' | 'https:';
  address: string;
  port: number;
  servername: string;
}) => Promise<Socket>;

export interface Guard {
  isAllowed: IsAllowed;
  resolve: Resolve;
  connect: Connect;
}

const ONE_ADDRESS_TIMEOUT_MS = 5_000;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * undici's way to a connection, and so the one place that every connection of the product passes: the host is resolved
 * here, all answers are checked, and what was checked is what is connected to. Unlike a `lookup` hook it also sees literals.
 */
export function guardedConnector(guard: Guard): buildConnector.connector {
  return (options, callback) => {
    openChecked(options, guard).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

export async function systemResolve(host: string): Promise<string[]> {
  const answers = await lookup(host, { all: true });
  return answers.map(({ address }) => address);
}

/** Certificates are always verified, also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise. */
export function systemConnect(): Connect {
  const open = buildConnector({ timeout: ONE_ADDRESS_TIMEOUT_MS, rejectUnauthorized: true });
  return ({ protocol, address, port, servername }) =>
    new Promise((resolve, reject) => {
      open({ protocol, hostname: address, port: String(port), servername }, (error, socket) =>
        error === null ? resolve(socket) : reject(error),
      );
    });
}

async function openChecked(options: buildConnector.Options, guard: Guard): Promise<Socket> {
  const protocol = options.protocol === 'https:' ? 'https:' : 'http:';
  const port = Number(options.port || (protocol === 'https:' ? 443 : 80));
  const name = options.hostname.toLowerCase().replace(/\.$/, '');
  const servername = isIP(name) === 0 ? name : '';

  let failure: unknown;
  for (const address of await checkedAddresses(name, port, guard)) {
    try {
      return await guard.connect({ protocol, address, port, servername });
    } catch (error) {
      failure = error;
    }
  }
  throw new EgressError('UNREACHABLE', `no connection (${codeOf(failure)})`);
}

async function checkedAddresses(name: string, port: number, guard: Guard): Promise<string[]> {
  const isLocalhost = /(^|\.)localhost$/.test(name);
  // RFC 6761 §6.3: these names mean loopback, whatever a resolver says.
  const answers = isLocalhost ? LOOPBACK : isIP(name) !== 0 ? [name] : await resolved(name, guard.resolve);
  const open = answers.filter((address) => isPublic(address) || guard.isAllowed({ name, address, port }));

  // One bad answer spoils a name: a resolver that mixes public and private ones is misused or mistaken.
  // Only for localhost the two answers are one machine, and allowing 127.0.0.0/8 is enough.
  if (open.length === 0 || (open.length < answers.length && !isLocalhost)) {
    throw new EgressError('EGRESS_DENIED', 'not a public address');
  }
  return open;
}

async function resolved(name: string, resolve: Resolve): Promise<string[]> {
  const answers = await resolve(name).catch((error: unknown) => {
    throw new EgressError('UNREACHABLE', `the name does not resolve (${codeOf(error)})`);
  });
  if (answers.length === 0) throw new EgressError('UNREACHABLE', 'the name does not resolve');
  return answers;
}
