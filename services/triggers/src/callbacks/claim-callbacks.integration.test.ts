import { type Wishes } from '@drawbridge/jobs';
import { recordEvents, tellings } from '../events/record-events.js';
import { type Source } from '../gen/prisma/client.js';
import { database, newSource } from '../testing/sources.js';
import { claim } from './claim-callbacks.js';

it('starts large deliveries one at a time, even if they are compressed to little on disk', async () => {
  const first = await newSource();
  const { orgId } = first;
  const sources: Source[] = [first, await newSource({ orgId }), await newSource({ orgId })];
  const events = [{ id: 'large', data: { text: 'x'.repeat(1_048_576) } }];
  for (const source of sources) await recordEvents(database.pool, async () => undefined, tellings(source, events));
  const wishes: Wishes = [sources.map(() => orgId), sources.map(({ id }) => id), sources.map(() => 2)];
  const claimed = [];
  for (let times = 0; times < 3; times++) claimed.push(await claim(database.pool, wishes));
  expect(claimed.map(({ jobs, isCut }) => [jobs.length, isCut])).toEqual([
    [1, true],
    [1, true],
    [1, false],
  ]);
});
