import { ago, ahead, database, newSource } from '../testing/sources.js';
import { pollMetrics } from './poll-metrics.js';

const read = async (): Promise<number[]> =>
  Promise.all(pollMetrics(database.pool).map(async (metric) => Math.round((await metric.read())[0]!.value)));

it('says how many polls wait, and for how long the first of them has', async () => {
  expect(await read()).toEqual([0, 0]);
  await newSource({ pollAt: ahead(1) });
  await newSource({ pollAt: ago(9), status: 'disabling' });
  await newSource({ pollAt: ago(1) });
  await newSource({ pollAt: ago(2) });
  const [many, seconds] = await read();
  expect(many).toBe(2);
  expect(seconds).toBeGreaterThanOrEqual(120);
  expect(seconds).toBeLessThan(180);
});
