import { type ServiceName } from '@drawbridge/contracts';
import { type Workspace, WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { callerTokens } from '../caller-token.js';
import { type Network } from '../client.js';
import { type CallContext, runInContext } from '../context.js';
import { GrpcNetwork } from '../grpc-client.js';
import { type GrpcServer, startGrpcServer } from '../grpc-server.js';
import { LocalNetwork } from '../local.js';
import { type ReferenceClock } from '../reference-clock.js';
import { readinessOf, type Service } from '../service.js';
import { log, members, WHO } from './members.js';

export const tokens = callerTokens('k'.repeat(32));

export interface Opened {
  as(from: ServiceName): Network;
  close(): Promise<void>;
}

async function inOneProcess(service: Service = members): Promise<Opened> {
  const network = new LocalNetwork();
  network.register(service, log);
  return { as: (from) => network.for(from), close: async () => undefined };
}

async function overGrpc(service: Service = members): Promise<Opened> {
  const server = await start(service);
  const networks: GrpcNetwork[] = [];
  const as = (from: ServiceName): GrpcNetwork => {
    networks.push(new GrpcNetwork(from, () => `127.0.0.1:${server.port}`, tokens));
    return networks.at(-1)!;
  };
  const close = async (): Promise<void> => {
    networks.forEach((network) => network.close());
    await server.drain(1_000);
  };
  return { as, close };
}

export const TRANSPORTS = [
  ['in one process', inOneProcess],
  ['over gRPC', overGrpc],
] as const;

/** Starts the members service on a free port. */
export function startMembers(
  ready = async (): Promise<void> => undefined,
  { clock, degraded = async () => [] }: { clock?: ReferenceClock; degraded?: () => Promise<string[]> } = {},
): Promise<GrpcServer> {
  return start({ ...members, ready, degraded }, clock);
}

/** Starts a process of the members service that has none of its methods, as one of a previous version lacks new methods. */
export const startOther = (): Promise<GrpcServer> => start({ ...members, rpcs: [] });

function start(service: Service, clock?: ReferenceClock): Promise<GrpcServer> {
  const { name, rpcs } = service;
  const address = { host: '127.0.0.1', port: 0 };
  return startGrpcServer({ name, rpcs, address, tokens, log, ready: () => readinessOf(service), clock });
}

/** Returns the context of a request at the gateway. */
export function asking(changes: Partial<CallContext> = {}): CallContext {
  const { signal } = new AbortController();
  return { requestId: 'r-1', from: 'gateway', caller: WHO, deadline: Date.now() + 5_000, signal, log, ...changes };
}

export interface Question {
  id: string;
  context?: CallContext;
  timeoutMs?: number;
  signal?: AbortSignal;
}

export function getWorkspace(
  network: Network,
  { id, context = asking(), timeoutMs, signal }: Question,
): Promise<Workspace> {
  const client = network.client('members', WorkspaceServiceDefinition);
  return runInContext(context, () => client.getWorkspace({ id }, { timeoutMs, signal }));
}
