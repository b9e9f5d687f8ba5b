import { type ApiError, invalid, type ServiceName } from '@drawbridge/contracts';
import { type Workspace, WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { pino } from 'pino';
import { callerTokens } from './caller-token.js';
import { type Network } from './client.js';
import { type Caller, caller, type CallContext, currentContext, runInContext } from './context.js';
import { type Implementation } from './definition.js';
import { expose } from './dispatch.js';
import { GrpcNetwork } from './grpc-client.js';
import { startGrpcServer } from './grpc-server.js';
import { LocalNetwork } from './local.js';

const log = pino({ level: 'silent' });
const tokens = callerTokens('k'.repeat(32));
const WHO: Caller = { orgId: 'org', userId: 'user', keyId: 'key', permissions: { scope: 'org' }, source: 'rest' };
const WORKSPACE: Workspace = { id: 'w', orgId: 'org', name: 'n', slug: 's', createdAt: 'c', updatedAt: 'u' };

/** Says back what it saw, or does what the id asks for. */
const seen: CallContext[] = [];
const implementation: Implementation<typeof WorkspaceServiceDefinition> = {
  listWorkspaces: async () => ({ workspaces: [], total: 0 }),
  createWorkspace: async () => WORKSPACE,
  updateWorkspace: async () => WORKSPACE,
  deleteWorkspace: async ({ id }) => ({ deleted: true, id }),
  async getWorkspace({ id }) {
    seen.push(currentContext()!);
    if (id === 'refuse') throw invalid({ 'values[0].name': 'is wrong' });
    if (id === 'break') throw new Error('secret text');
    if (id === 'duplicate') throw Object.assign(new Error('x'), { code: 'P2002', meta: { modelName: 'ApiKey' } });
    if (id === 'hang') await new Promise(() => undefined);
    return { ...WORKSPACE, name: caller().orgId };
  },
};

const service = {
  name: 'members' as const,
  rpcs: [expose(WorkspaceServiceDefinition, implementation, { ...closed(), getWorkspace: ['gateway'] })],
  close: async () => undefined,
};

function closed(): Record<keyof typeof WorkspaceServiceDefinition.methods, ServiceName[]> {
  return { listWorkspaces: [], createWorkspace: [], getWorkspace: [], updateWorkspace: [], deleteWorkspace: [] };
}

type Opened = { as(from: ServiceName): Network; close(): Promise<void> };

const inOneProcess = async (): Promise<Opened> => {
  const network = new LocalNetwork();
  network.register(service, log);
  return { as: (from) => network.for(from), close: async () => undefined };
};

const overGrpc = async (): Promise<Opened> => {
  const server = await startGrpcServer({
    ...service,
    address: '127.0.0.1:0',
    tokens,
    log,
    ready: async () => undefined,
  });
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
};

function asking(changes: Partial<CallContext> = {}): CallContext {
  const { signal } = new AbortController();
  return { requestId: 'r-1', from: 'gateway', caller: WHO, deadline: Date.now() + 5_000, signal, log, ...changes };
}

describe.each([
  ['in one process', inOneProcess],
  ['over gRPC', overGrpc],
])('a call %s', (_name, open) => {
  let opened: Opened;
  beforeAll(async () => (opened = await open()));
  afterAll(() => opened.close());

  const get = (id: string, context = asking(), from: ServiceName = 'gateway'): Promise<Workspace> =>
    runInContext(context, () => opened.as(from).client('members', WorkspaceServiceDefinition).getWorkspace({ id }));

  it('carries the caller, the request id and a deadline that only shrinks', async () => {
    expect((await get('w')).name).toBe('org');
    expect(seen.at(-1)).toMatchObject({ requestId: 'r-1', from: 'gateway', caller: WHO });
    const ownTimeout = Date.now() + 10_000;
    expect(seen.at(-1)!.deadline).toBeLessThan(ownTimeout);
  });

  it('carries a refusal with its status, code and details', async () => {
    await expect(get('refuse')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 400,
      details: { fields: { 'values[0].name': { message: 'is wrong' } } },
    });
  });

  it('shows nothing of an unexpected error', async () => {
    const error = await get('break').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'INTERNAL', status: 500, details: { requestId: 'r-1' } });
    expect((error as ApiError).message).not.toContain('secret');
  });

  it('turns a unique violation into DUPLICATE', async () => {
    await expect(get('duplicate')).rejects.toMatchObject({ code: 'DUPLICATE', message: 'Api key already exists' });
  });

  it('is refused to a service that is not on the list', async () => {
    await expect(get('w', asking(), 'catalog')).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
  });

  it('ends with TIMEOUT when the deadline passes', async () => {
    await expect(get('hang', asking({ deadline: Date.now() + 50 }))).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('ends when the caller hangs up, and the callee hears of it', async () => {
    const abort = new AbortController();
    const call = get('hang', asking({ signal: abort.signal, requestId: 'hang-up' }));
    while (seen.at(-1)?.requestId !== 'hang-up') await new Promise(setImmediate);
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: 'TIMEOUT' });
    while (!seen.at(-1)!.signal.aborted) await new Promise(setImmediate);
  });
});

describe('over gRPC', () => {
  it('a call signed with another key is refused, and an unreachable service is UNAVAILABLE', async () => {
    const server = await startGrpcServer({
      ...service,
      address: '127.0.0.1:0',
      tokens,
      log,
      ready: async () => undefined,
    });
    const foreign = new GrpcNetwork('gateway', () => `127.0.0.1:${server.port}`, callerTokens('f'.repeat(32)));
    const get = (): Promise<Workspace> =>
      runInContext(asking(), () => foreign.client('members', WorkspaceServiceDefinition).getWorkspace({ id: 'w' }));
    const served = seen.length;
    await expect(get()).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    expect(seen).toHaveLength(served);
    await foreign.ready('members');
    await server.drain(1_000);
    await expect(get()).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    foreign.close();
  });
});
