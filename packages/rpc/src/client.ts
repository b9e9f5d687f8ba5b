import { newId, type ServiceName } from '@drawbridge/contracts';
import { type CallContext, currentContext, leavingOf } from './context.js';
import { type CallOptions, type Client, type ServiceDefinition } from './wire-format.js';
import { ACCESS_TABLE } from './authorize.js';
import { LostCall } from './errors.js';
import { traceparent } from './spans.js';

const DEFAULT_TIMEOUT_MS = 10_000;
/** Must exceed the duration of the longest call. Longer timeouts are shortened to this value. */
export const MAX_CALL_MS = 390_000;

/** The part of the call context that is sent with a call over any transport. */
export type Outgoing = Omit<CallContext, 'log' | 'signal' | 'serving'>;

/** Provides a service with clients for the other services. The interface is the same in one process and in several. */
export interface Network {
  client<D extends ServiceDefinition>(service: ServiceName, definition: D): Client<D>;
  /** Resolves with the degraded parts of the service when it is ready. Rejects if it is not ready. */
  ready(service: ServiceName): Promise<string[]>;
}

/** Returns a client that passes the message of every method to `send`. */
export function clientOf<D extends ServiceDefinition>(
  definition: D,
  from: ServiceName,
  send: (method: string, request: unknown, outgoing: Outgoing) => Promise<unknown>,
): Client<D> {
  const methods = Object.keys(definition.methods).map((method) => [
    method,
    (request: unknown, options: CallOptions = {}) => send(method, request, outgoing(from, options)),
  ]);
  return Object.fromEntries(methods) as Client<D>;
}

function outgoing(from: ServiceName, { timeoutMs = DEFAULT_TIMEOUT_MS, signal }: CallOptions): Outgoing {
  const current = currentContext();
  const own = Date.now() + Math.min(timeoutMs, MAX_CALL_MS);
  return {
    requestId: current?.requestId ?? newId(),
    from,
    caller: current?.caller,
    deadline: current ? Math.min(current.deadline, own) : own,
    leaving: signal ?? (current && leavingOf(current)),
    abandoned: current?.abandoned,
    traceparent: traceparent(),
    address: current?.address,
  };
}

export function timedOut(service: string, mayHaveChanged: boolean): LostCall {
  return new LostCall('TIMEOUT', `${service} did not respond in time`, { mayHaveChanged });
}

/** Returns whether the RPC may change something, so that a retry is not safe. Methods without access terms, such as health checks, only read. */
export function mayChange({ fullName }: ServiceDefinition, method: string): boolean {
  const access = ACCESS_TABLE[fullName]?.[method];
  return access !== undefined && !access.isRepeatable;
}
