import { rpcDurations } from './process-metrics.js';
import { asking, getWorkspace, TRANSPORTS } from './testing/networks.js';

const RPC = 'drawbridge.members.v1.WorkspaceService/getWorkspace';

function countOf(code: string): number {
  const counts = rpcDurations.read().filter(({ suffix }) => suffix === '_count');
  return counts.find(({ labels }) => labels?.['rpc'] === RPC && labels['code'] === code)?.value ?? 0;
}

it('records the duration of a call with its result', async () => {
  const [, openInOneProcess] = TRANSPORTS[0];
  const network = (await openInOneProcess()).as('gateway');
  const [served, failed] = [countOf('OK'), countOf('TIMEOUT')];
  await getWorkspace(network, { id: 'w' });
  await expect(getWorkspace(network, { id: 'lose' })).rejects.toMatchObject({ code: 'TIMEOUT' });
  await expect(getWorkspace(network, { id: 'w', context: asking({ deadline: 0 }) })).rejects.toThrow();
  expect([countOf('OK') - served, countOf('TIMEOUT') - failed]).toEqual([1, 2]);
});
