import { once } from 'node:events';
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net';
import { type ServiceName } from '@drawbridge/contracts';
import { HealthDefinition } from '@drawbridge/proto/grpc/health/v1/health';
import {
  logVerbosity,
  Server,
  ServerCredentials,
  type ServiceDefinition as GrpcServiceDefinition,
  setLogVerbosity,
} from '@grpc/grpc-js';
import { type CallerTokens } from './caller-token.js';
import { MAX_CALL_MS } from './client.js';
import { MAX_MESSAGE_BYTES, pathOf, type ServiceDefinition } from './wire-format.js';
import { type Exposed } from './dispatch.js';
import { authenticateCallers, serveCall } from './serve-call.js';
import { type Logger } from './log.js';
import { type ReferenceClock, referenceClock, watchClock } from './reference-clock.js';

const MAX_CONNECTIONS = 1_000;

const SERVER_OPTIONS = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  // The limit applies per connection. It exceeds the number of concurrent calls of any client.
  'grpc.max_concurrent_streams': 10_000,
  // Clients reconnect and resolve the address again every five minutes, so that new replicas receive traffic.
  'grpc.max_connection_age_ms': 300_000,
  'grpc.max_connection_age_grace_ms': MAX_CALL_MS,
  // Pings detect a client on a crashed machine, which never closes its connections.
  'grpc.keepalive_time_ms': 60_000,
};

export interface GrpcServer {
  port: number;
  /** Stops accepting calls and waits at most `graceMs` for the current calls. */
  drain(graceMs: number): Promise<void>;
}

/** Serves the RPCs of one service over gRPC, including the health service (grpc.health.v1), which is the only service that needs no caller token. */
export async function startGrpcServer(options: {
  name: ServiceName;
  address: { host: string; port: number };
  rpcs: Exposed[];
  tokens: CallerTokens;
  log: Logger;
  ready: () => Promise<string[]>;
  clock?: ReferenceClock;
}): Promise<GrpcServer> {
  const { log, clock = referenceClock } = options;
  // Disables the log of the library, because it would contain headers of unauthenticated clients. Relevant errors are logged in serve-call.ts.
  setLogVerbosity(logVerbosity.NONE);
  const { intercept, verified } = authenticateCallers({ ...options, clock });
  const server = new Server({ ...SERVER_OPTIONS, interceptors: [intercept] });
  for (const rpc of options.rpcs) {
    const handlers = Object.keys(rpc.definition.methods).map((method) => [
      method,
      serveCall(rpc, method, { log, verified, clock }),
    ]);
    server.addService(toGrpcDefinition(rpc.definition), Object.fromEntries(handlers));
  }
  server.addService(toGrpcDefinition(HealthDefinition), {});
  const { listener, leave } = await listen(server, options.address, clock);
  const stopWatching = watchClock(clock, log, leave);
  return {
    port: (listener.address() as AddressInfo).port,
    drain: async (graceMs) => {
      stopWatching();
      await drain(server, listener, graceMs);
    },
  };
}

interface Listening {
  listener: NetServer;
  /** Closes every connection after its current calls complete. */
  leave(): void;
}

/**
 * Uses a separate net.Server, because the listener of grpc-js cannot limit connections. A process with a wrong clock accepts no connection, so that
 * clients use other processes of the service.
 */
async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
  clock: ReferenceClock,
): Promise<Listening> {
  const newInjector = () => server.createConnectionInjector(ServerCredentials.createInsecure());
  let injector = newInjector();
  const listener = createServer((socket) =>
    clock.isSkewed() ? void socket.destroy() : injector.injectConnection(socket),
  );
  listener.maxConnections = MAX_CONNECTIONS;
  listener.listen(port, host);
  await once(listener, 'listening');
  const leave = (): void => {
    injector.drain(MAX_CALL_MS);
    // After its grace period, the old injector closes all of its connections, also those that it received later. New connections therefore need
    // another injector.
    injector = newInjector();
  };
  return { listener, leave };
}

/** Passes messages as bytes, so that calls are authorized before their messages are decoded, and codec errors are converted to ApiErrors. */
function toGrpcDefinition(definition: ServiceDefinition): GrpcServiceDefinition {
  const asIs = (bytes: Buffer): Buffer => bytes;
  const entries = Object.entries(definition.methods).map(([key, method]) => [
    key,
    {
      path: pathOf(definition, method),
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    },
  ]);
  return Object.fromEntries(entries);
}

function drain(server: Server, listener: NetServer, graceMs: number): Promise<void> {
  listener.close();
  return new Promise((resolve) => {
    const force = setTimeout(() => server.forceShutdown(), graceMs);
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });
}
