import { HealthCheckResponse_ServingStatus, HealthDefinition } from '@drawbridge/proto/grpc/health/v1/health';
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition as GrpcServiceDefinition,
} from '@grpc/grpc-js';
import { type CallerTokens } from './caller-token.js';
import { type CallContext } from './context.js';
import { type MethodDefinition, type ServiceDefinition } from './definition.js';
import { type Exposed } from './dispatch.js';
import { toApiError } from './errors.js';
import { toGrpcError } from './grpc-status.js';
import { type Logger } from './log.js';
import { v7 as uuidv7 } from 'uuid';

export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MAX_CALL_MS = 330_000;

type UnaryCall = ServerUnaryCall<unknown, unknown>;

export interface GrpcServer {
  port: number;
  /** Takes no new call, waits for those under way, at most `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

/** Serves the RPCs over gRPC, with the health service (grpc.health.v1), which alone needs no caller token. */
export async function startGrpcServer(options: {
  address: string;
  rpcs: Exposed[];
  tokens: CallerTokens;
  log: Logger;
  ready: () => Promise<void>;
}): Promise<GrpcServer> {
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    // New replicas get their share of the traffic: a client reconnects, and resolves anew, every five minutes.
    'grpc.max_connection_age_ms': 300_000,
  });
  for (const rpc of options.rpcs) addRpc(server, rpc, options);
  addHealth(server, options.ready);

  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(options.address, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return { port, drain: (graceMs) => drain(server, graceMs) };
}

function addRpc(server: Server, rpc: Exposed, { tokens, log }: { tokens: CallerTokens; log: Logger }): void {
  const handler = (method: string): handleUnaryCall<unknown, unknown> => {
    return (call, answer) => {
      const { context, end } = contextOf(call, log);
      tokens
        .verify(textOf(call, 'x-drawbridge-caller'))
        .catch((error: unknown) => {
          log.warn({ call: method, address: call.getPeer() }, 'refused a call without a valid caller token');
          throw error;
        })
        .then((verified) => rpc.call(method, call.request, { ...context, ...verified }))
        .then((response) => answer(null, response))
        .catch((error: unknown) => answer(toGrpcError(toApiError(error, { call: method, ...context }))))
        .finally(end);
    };
  };
  const names = Object.keys(rpc.definition.methods);
  server.addService(toGrpcDefinition(rpc.definition), Object.fromEntries(names.map((name) => [name, handler(name)])));
}

function contextOf(call: UnaryCall, log: Logger): { context: Omit<CallContext, 'from' | 'caller'>; end: () => void } {
  const abort = new AbortController();
  const deadline = Math.min(Number(call.getDeadline()), Date.now() + MAX_CALL_MS);
  const timer = setTimeout(() => abort.abort(), deadline - Date.now());
  call.on('cancelled', () => {
    clearTimeout(timer);
    abort.abort();
  });
  const requestId = textOf(call, 'x-request-id') ?? uuidv7();
  const context = { requestId, deadline, signal: abort.signal, traceparent: textOf(call, 'traceparent'), log };
  return { context, end: () => clearTimeout(timer) };
}

function textOf(call: UnaryCall, key: string): string | undefined {
  const [value] = call.metadata.get(key);
  return typeof value === 'string' ? value : undefined;
}

function addHealth(server: Server, ready: () => Promise<void>): void {
  const check: handleUnaryCall<unknown, unknown> = (_call, answer) =>
    ready().then(
      () => answer(null, { status: HealthCheckResponse_ServingStatus.SERVING }),
      () => answer(null, { status: HealthCheckResponse_ServingStatus.NOT_SERVING }),
    );
  server.addService(toGrpcDefinition(HealthDefinition), { check });
}

/** ts-proto's generic definition as @grpc/grpc-js wants it. */
export function toGrpcDefinition(definition: ServiceDefinition): GrpcServiceDefinition {
  const entries = Object.entries(definition.methods).map(([key, method]) => [
    key,
    {
      path: pathOf(definition, method),
      requestStream: false,
      responseStream: false,
      requestSerialize: (message: unknown) => Buffer.from(method.requestType.encode(message).finish()),
      requestDeserialize: (bytes: Buffer) => method.requestType.decode(bytes),
      responseSerialize: (message: unknown) => Buffer.from(method.responseType.encode(message).finish()),
      responseDeserialize: (bytes: Buffer) => method.responseType.decode(bytes),
    },
  ]);
  return Object.fromEntries(entries);
}

export function pathOf(definition: ServiceDefinition, method: MethodDefinition<unknown, unknown>): string {
  return `/${definition.fullName}/${method.name}`;
}

function drain(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.forceShutdown(), graceMs);
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });
}
