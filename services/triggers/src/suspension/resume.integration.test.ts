import { newId } from '@drawbridge/contracts';
import { PutAside } from '@drawbridge/events';
import { createLogger } from '@drawbridge/rpc';
import { type Source } from '../gen/prisma/client.js';
import { ago, ahead, database, find, newSource } from '../testing/sources.js';
import { pauseDelivery, pauseSource } from './pause.js';
import { letGo } from './resume.js';

const DUE = ago(1);
const aside = new PutAside({ name: 'resuming', log: createLogger('triggers', 'silent') });

let suspended: Set<string>;
let enqueued: string[];

beforeEach(() => ([suspended, enqueued] = [new Set(), []]));

const turn = (): Promise<void> =>
  letGo({
    aside,
    pool: database.pool,
    states: { suspendedOf: async () => suspended },
    enqueue: async (_tx, deliveries) => void enqueued.push(...deliveries.map(({ id }) => id)),
  });

const hold = (source: Source, task: 'poll' | 'renew', at: Date | null): Promise<void> =>
  pauseSource(database.pool, task, { ...source, at: at?.toISOString() ?? '' });

async function newDelivery({ id: sourceId, orgId, workspaceId }: Source, status = 'pending'): Promise<string> {
  const data = { id: newId(), orgId, workspaceId, sourceId, eventId: newId(), status };
  return (await database.db.delivery.create({ data })).id;
}

it('pauses due work of a source while its workspace is suspended, and continues when it is resumed', async () => {
  const polled = await newSource({ pollAt: DUE, failures: 3, failingSince: ago(9_999) });
  const renewed = await newSource({ ...ownerOf(polled), triggerType: 'WEBHOOK', renewAt: DUE });
  const later = await newSource({ ...ownerOf(polled), pollAt: ahead(3) });
  suspended.add(polled.workspaceId);
  await hold(polled, 'poll', DUE);
  await hold(renewed, 'renew', DUE);
  await turn();
  expect((await find(polled))?.pollAt?.getTime()).toBeGreaterThan(ahead(50).getTime());
  expect(await find(renewed)).toMatchObject({ held: true });

  suspended.clear();
  await turn();
  const [after, again] = [await find(polled), await find(renewed)];
  expect(after).toMatchObject({ held: false, failures: 3, failingSince: null });
  for (const at of [after?.pollAt, again?.renewAt]) expect(at?.getTime()).toBeLessThan(ahead(1).getTime());
  expect((await find(later))?.pollAt).toEqual(later.pollAt);
});

it('suspends no source that another process has changed', async () => {
  const source = await newSource({ pollAt: ahead(5) });
  await hold(source, 'poll', DUE);
  expect(await find(source)).toMatchObject({ held: false, pollAt: source.pollAt });
});

it('suspends pending deliveries, and resumes all of them once and no others', async () => {
  const [source, other] = [await newSource(), await newSource()];
  const held: string[] = [];
  for (let many = 0; many < 501; many++) held.push(await newDelivery(source));
  const [over, elsewhere] = [await newDelivery(source, 'success'), await newDelivery(other)];
  const all = [...held, over].map((id) => ({ ...source, id })).concat({ ...other, id: elsewhere });
  for (const delivery of all) await pauseDelivery(database.pool, { ...delivery, attempt: 0 });
  suspended.add(other.workspaceId);
  await Promise.all([turn(), turn()]);
  expect(enqueued.sort()).toEqual(held.sort());
  await turn();
  expect(enqueued).toHaveLength(501);
});

const ownerOf = ({ orgId, workspaceId }: Source) => ({ orgId, workspaceId });
