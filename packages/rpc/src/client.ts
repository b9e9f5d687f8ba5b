import { newId, type ServiceName } from '@drawbridge/contracts';
import { type CallContext, currentContext } from './context.js';
import { type CallOptions, type Client, type ServiceDefinition } from './definition.js';
import { ACCESS_TABLE } from './access-table.js';
import { LostCall } from './lost-call.js';
import { traceparent } from './trace.js';

const DEFAULT_TIMEOUT_MS = 10_000;
/** Longer than the longest call; what is asked beyond it is cut to it. */
export const MAX_CALL_MS = 330_000;

/** What travels with a call, whatever the transport. */
export type Outgoing = Omit<CallContext, 'log' | 'signal'> & { signal?: AbortSignal };

/** How a service reaches the others. The same in one process and in several. */
export interface Network {
  client<D extends ServiceDefinition>(service: ServiceName, definition: D): Client<D>;
  /** Resolves when the service says that it can work, with what is degraded meanwhile; fails otherwise. */
  ready(service: ServiceName): Promise<string[]>;
}

/** A client whose every method hands its message to `send`. */
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

function outgoing(from: ServiceName, { timeoutMs = DEFAULT_TIMEOUT_MS }: CallOptions): Outgoing {
  const current = currentContext();
  const own = Date.now() + Math.min(timeoutMs, MAX_CALL_MS);
  return {
    requestId: current?.requestId ?? newId(),
    from,
    caller: current?.caller,
    deadline: current ? Math.min(current.deadline, own) : own,
    signal: current?.signal,
    abandoned: current?.abandoned,
    traceparent: traceparent(),
    address: current?.address,
  };
}

export function timedOut(service: string, mayHaveChanged: boolean): LostCall {
  return new LostCall('TIMEOUT', `${service} did not answer in time`, { mayHaveChanged });
}

/** Whether the RPC changes something, so that a second call is not the same as one. A method without access, such as health, only reads. */
export function mayChange({ fullName }: ServiceDefinition, method: string): boolean {
  const access = ACCESS_TABLE[fullName]?.[method];
  return access !== undefined && !access.isRepeatable;
}
