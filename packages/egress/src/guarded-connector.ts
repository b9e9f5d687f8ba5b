import { isIP, Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { TenantLimiter } from '@drawbridge/turns';
import type { IsAllowed } from './allow-list.js';
import type { OpenSocket, ConnectionUse } from './connection-pool.js';
import { codeOf, EgressError } from './egress-error.js';
import { isPublic } from './is-public.js';
import { withTimeLimit } from './time-limit.js';

/** Every address of a host name (lower case), asked once for each new connection. Gives up when the signal aborts. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;

/** Opens one connection, TLS handshake included, to an address that was checked. `servername` is '' for a literal. */
export type Connect = (to: {
  protocol: 'http:' | 'https:';
  address: string;
  port: number;
  servername: string;
  signal: AbortSignal;
}) => Promise<Socket>;

export interface ConnectorOptions {
  isAllowed: IsAllowed;
  resolve: Resolve;
  connect: Connect;
  /** Names being asked about. */
  questions: TenantLimiter;
}

const ONE_ADDRESS_TIMEOUT_MS = 5_000;
/** The name, and however many addresses it has. */
const OPENING_TIMEOUT_MS = 15_000;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * undici's way to a connection, and so the one place that every connection of the product passes: the host is resolved
 * here, all answers are checked, and what was checked is what is connected to. Unlike a `lookup` hook it also sees literals.
 */
export function guardedConnector(guard: ConnectorOptions): OpenSocket {
  return async (options, { tenant, signal }) => {
    const limit = withTimeLimit(OPENING_TIMEOUT_MS, signal);
    try {
      return await openChecked(options, guard, { tenant, signal: limit.signal });
    } finally {
      limit.end();
    }
  };
}

/** Certificates are always verified, also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise. */
export function systemConnect(): Connect {
  const open = buildConnector({ timeout: ONE_ADDRESS_TIMEOUT_MS, rejectUnauthorized: true });
  return ({ protocol, address, port, servername, signal }) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        // It answers the socket, whatever its type says: a handshake that nobody waits for must not go on.
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
  const port = Number(options.port || (protocol === 'https:' ? 443 : 80));
  const name = options.hostname.toLowerCase().replace(/\.$/, '');
  const servername = isIP(name) === 0 ? name : '';

  let failure: unknown;
  for (const address of await checkedAddresses({ name, port }, guard, use)) {
    if (use.signal.aborted) break;
    try {
      return await guard.connect({ protocol, address, port, servername, signal: use.signal });
    } catch (error) {
      failure = error;
    }
  }
  throw new EgressError('UNREACHABLE', `no connection (${codeOf(failure ?? use.signal.reason)})`);
}

async function checkedAddresses(
  { name, port }: { name: string; port: number },
  guard: ConnectorOptions,
  use: ConnectionUse,
): Promise<string[]> {
  const isLocalhost = /(^|\.)localhost$/.test(name);
  // RFC 6761 §6.3: these names mean loopback, whatever a resolver says.
  const answers = isLocalhost ? LOOPBACK : isIP(name) !== 0 ? [name] : await resolved(name, guard, use);
  const open = answers.filter((address) => isPublic(address) || guard.isAllowed({ name, address, port }));

  // One bad answer spoils a name: a resolver that mixes public and private ones is misused or mistaken.
  // Only for localhost the two answers are one machine, and allowing 127.0.0.0/8 is enough.
  if (open.length === 0 || (open.length < answers.length && !isLocalhost)) {
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
