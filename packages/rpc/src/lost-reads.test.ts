import { once } from 'node:events';
import { createServer } from 'node:http2';
import { type AddressInfo } from 'node:net';
import { WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { runInContext } from './context.js';
import { GrpcNetwork } from './grpc-client.js';
import { type GrpcServer } from './grpc-server.js';
import { LostCall } from './errors.js';
import { ReferenceClock } from './reference-clock.js';
import { asking, getWorkspace, startMembers, tokens } from './testing/networks.js';

/** Starts a server that accepts calls and closes the connection on each call. */
async function dyingMembers() {
  let calls = 0;
  const server = createServer((request) => {
    calls += 1;
    request.stream.session?.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, calls: () => calls, stop: () => server.close() };
}

describe('if one of two processes crashes on its calls', () => {
  let dying: Awaited<ReturnType<typeof dyingMembers>>;
  let living: GrpcServer;
  let network: GrpcNetwork;
  beforeEach(async () => {
    [dying, living] = await Promise.all([dyingMembers(), startMembers()]);
    const both = `ipv4:127.0.0.1:${dying.port},127.0.0.1:${living.port}`;
    const clock = new ReferenceClock(); // set, so that the network makes no call to read it
    clock.learn({ epochMs: Date.now(), sentAt: performance.now(), receivedAt: performance.now() });
    network = new GrpcNetwork('gateway', () => both, tokens, clock);
  });
  afterEach(async () => {
    network.close();
    dying.stop();
    await living.drain(100);
  });

  it('a read is retried at the other process', async () => {
    while (dying.calls() < 3) expect((await getWorkspace(network, { id: 'w' })).name).toBe('org');
  });

  it('a change is not retried', async () => {
    const client = network.client('members', WorkspaceServiceDefinition);
    const remove = () => runInContext(asking(), () => client.deleteWorkspace({ id: 'w' }));
    const errors: unknown[] = [];
    while (dying.calls() < 3) await remove().catch((error: unknown) => errors.push(error));
    expect(errors.filter((error) => error instanceof LostCall)).toHaveLength(3);
  });
});
