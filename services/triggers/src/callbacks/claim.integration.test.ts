import { NIL_ID } from '@drawbridge/contracts';
import { recordEvents, tellings } from '../events/record-events.js';
import { type Source } from '../gen/prisma/client.js';
import { database, newSource } from '../testing/sources.js';
import { claim } from './claim.js';

it('begins what is large one by one, however little of the disk it takes', async () => {
  const first = await newSource();
  const { orgId } = first;
  const sources: Source[] = [first, await newSource({ orgId }), await newSource({ orgId })];
  const events = [{ id: 'large', data: { text: 'x'.repeat(1_048_576) } }];
  for (const source of sources) await recordEvents(database.pool, async () => undefined, tellings(source, events));
  const none = new Map<string, number>();
  const wish = { orgId, many: 20, ofSource: 2, after: NIL_ID, busy: none, limits: none };
  const begun = [await claim(database.pool, wish), await claim(database.pool, wish), await claim(database.pool, wish)];
  expect(begun.map((claimed) => [claimed.begun.length, claimed.isCut])).toEqual([
    [1, true],
    [1, true],
    [1, false],
  ]);
});
