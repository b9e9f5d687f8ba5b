import { once } from 'node:events';
import { createServer, type Server as NetServer } from 'node:net';
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
import { type ServiceDefinition } from './definition.js';
import { type Exposed } from './dispatch.js';
import { authenticateCallers } from './authenticate-callers.js';
import { type Logger } from './log.js';
import { type ReferenceClock, referenceClock } from './reference-clock.js';
import { serveCall } from './serve-call.js';
import { watchClock } from './watch-clock.js';
import { MAX_MESSAGE_BYTES, pathOf } from './wire-format.js';

const MAX_CONNECTIONS = 1_000;

const SERVER_OPTIONS = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  // Of one connection: more calls than one peer ever has under way.
  'grpc.max_concurrent_streams': 10_000,
  // New replicas get their share of the traffic: a client reconnects, and resolves anew, every five minutes.
  'grpc.max_connection_age_ms': 300_000,
  'grpc.max_connection_age_grace_ms': MAX_CALL_MS,
  // A peer whose machine is gone never says so.
  'grpc.keepalive_time_ms': 60_000,
};

export interface GrpcServer {
  port: number;
  /** Takes no new call, waits for those under way, at most `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

/** Serves the RPCs of one service over gRPC, with the health service (grpc.health.v1), which alone needs no caller token. */
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
  // The library would print what a stranger's headers hold; what concerns us we log ourselves.
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
    port: portOf(listener),
    drain: async (graceMs) => {
      stopWatching();
      await drain(server, listener, graceMs);
    },
  };
}

interface Listening {
  listener: NetServer;
  /** Ends every connection; calls under way go on. */
  leave(): void;
}

/**
 * Our own listener hands its sockets over: grpc-js's own takes any number. A process whose clock is wrong takes no connections, so that
 * clients use the other processes of the service.
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
    // After its grace time the old one ends all of its connections, also those that came later.
    injector = newInjector();
  };
  return { listener, leave };
}

function portOf(listener: NetServer): number {
  const address = listener.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Messages pass as bytes: who may call is known before they are read, and what fails on them is answered as ours. */
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
