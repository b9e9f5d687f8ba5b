import { GrpcNetwork } from './grpc-client.js';
import { getWorkspace, startMembers, tokens } from './testing/networks.js';
import { seen } from './testing/members.js';

it('a draining process answers the running calls', async () => {
  const server = await startMembers();
  const network = new GrpcNetwork('gateway', () => `127.0.0.1:${server.port}`, tokens);
  const before = seen.length;
  const answers = Promise.all([getWorkspace(network, { id: 'wait' }), getWorkspace(network, { id: 'wait' })]);
  while (seen.length < before + 2) await new Promise(setImmediate);
  const drained = server.drain(10_000);
  expect(await answers).toMatchObject([{ name: 'n' }, { name: 'n' }]);
  await drained;
  network.close();
});
