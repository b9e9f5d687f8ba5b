import { newId } from '@drawbridge/contracts';
import { database } from '../testing/sources.js';
import { deliveryMetrics } from '../backlog/backlog-metrics.js';

it('counts deliveries that have not arrived, by how they stand', async () => {
  const [open, refused] = deliveryMetrics(database.pool, { refusals: () => 7 });
  const read = async (): Promise<Record<string, number>> =>
    Object.fromEntries((await open!.read()).map(({ labels, value }) => [labels?.['state'] ?? '', value]));
  const before = await read();
  for (const status of ['pending', 'retrying', 'retrying', 'failed', 'success', 'kept']) {
    const of = { id: newId(), orgId: newId(), workspaceId: newId(), sourceId: newId(), eventId: newId() };
    await database.db.delivery.create({ data: { ...of, status } });
  }
  const after = await read();
  const more = Object.entries(after).map(([state, many]) => [state, many - before[state]!]);
  expect(Object.fromEntries(more)).toEqual({ waiting: 1, failing: 2, dead: 1, kept: 1 });
  expect(await refused!.read()).toEqual([{ value: 7 }]);
});
