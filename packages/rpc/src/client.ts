import { newId, type ServiceName } from '@drawbridge/contracts';
import { type CallContext, currentContext } from './context.js';
import { type CallOptions, type Client, type ServiceDefinition } from './wire-format.js';
import { ACCESS_TABLE } from './authorize.js';
import { LostCall } from './errors.js';
import { traceparent } from './spans.js';

const DEFAULT_TIMEOUT_MS = 10_000;
/** Longer than the longest call. Longer timeouts are cut to this value. */
export const MAX_CALL_MS = 390_000;

/** The context that travels with a call over any transport. */
export type Outgoing = Omit<CallContext, 'log' | 'signal'> & { signal?: AbortSignal };

/** Gives a service clients for the other services. The same interface in one process and in several. */
export interface Network {
  client<D extends ServiceDefinition>(service: ServiceName, definition: D): Client<D>;
  /** Resolves with what is degraded when the service is ready; rejects otherwise. */
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
    signal: signal ?? current?.signal,
    abandoned: current?.abandoned,
    traceparent: traceparent(),
    address: current?.address,
  };
}

export function timedOut(service: string, mayHaveChanged: boolean): LostCall {
  return new LostCall('TIMEOUT', `${service} did not respond in time`, { mayHaveChanged });
}

/** Returns whether the RPC changes something, so that a retry is not safe. Methods without access terms, such as health, only read. */
export function mayChange({ fullName }: ServiceDefinition, method: string): boolean {
  const access = ACCESS_TABLE[fullName]?.[method];
  return access !== undefined && !access.isRepeatable;
}
