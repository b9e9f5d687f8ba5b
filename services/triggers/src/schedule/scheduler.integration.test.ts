import { PutAside } from '@drawbridge/events';
import { createLogger } from '@drawbridge/rpc';
import { ago, ahead, database, find, newSource } from '../testing/sources.js';
import { type Due, type DueTask, takeDue } from './scheduler.js';

type Enqueued = Due & { task: DueTask };

const newAside = (): PutAside => new PutAside({ name: 'scheduler', log: createLogger('triggers', 'silent') });

/** Returns the jobs that this number of processes enqueues, each in one round. */
async function attend(processes = 1): Promise<Enqueued[]> {
  const enqueued: Enqueued[] = [];
  const enqueue = async (_tx: unknown, task: DueTask, due: readonly Due[]) =>
    void enqueued.push(...due.map((one) => ({ task, ...one })));
  await Promise.all(
    Array.from({ length: processes }, () => takeDue({ pool: database.pool, enqueue, aside: newAside() })),
  );
  return enqueued;
}

it('claims due work of each kind, and nothing else', async () => {
  const renewed = await newSource({ renewAt: ago(1), triggerType: 'WEBHOOK' });
  const ended = await newSource({ status: 'disabling' });
  await newSource({ pollAt: ago(1), renewAt: ahead(1) });
  await newSource();
  await newSource({ status: 'enabling', renewAt: ago(1) });

  const enqueued = await attend();
  expect(enqueued.map(({ task, id, orgId }) => ({ task, id, orgId }))).toEqual([
    { task: 'renew', id: renewed.id, orgId: renewed.orgId },
    { task: 'unregister', id: ended.id, orgId: ended.orgId },
  ]);
  expect(enqueued[0]?.at).toBe((await find(renewed))?.renewAt?.toISOString());
});

it('claims of a disabled source only its end', async () => {
  await newSource({ status: 'disabling', pollAt: ago(1), renewAt: ago(1), unregisterAt: ahead(1) });
  expect(await attend()).toEqual([]);
});

it('leaves to one of many what many see', async () => {
  const sources = await Promise.all(Array.from({ length: 50 }, () => newSource({ renewAt: ago(1) })));
  const enqueued = await attend(4);
  expect(enqueued.map(({ id }) => id).sort()).toEqual(sources.map(({ id }) => id).sort());
});

it('claims more work than one statement returns', async () => {
  await Promise.all(Array.from({ length: 401 }, () => newSource({ renewAt: ago(1) })));
  expect(await attend()).toHaveLength(401);
});

it('claims a source again after its process died', async () => {
  const source = await newSource({ renewAt: ago(1) });
  await attend();
  expect(await attend()).toEqual([]);
  await database.pool.query(`UPDATE triggers.sources SET renew_at = now() - interval '1 ms' WHERE id = $1`, [
    source.id,
  ]);
  expect(await attend()).toHaveLength(1);
});

it('ends a source after its enabling was interrupted', async () => {
  const begun = await newSource({ status: 'enabling' });
  const left = await newSource({ status: 'enabling', createdAt: ago(3) });
  expect(await attend()).toMatchObject([{ task: 'unregister', id: left.id }]);
  expect([await find(begun), await find(left)]).toMatchObject([{ status: 'enabling' }, { status: 'disabling' }]);
});

it('leases the other sources of a batch where one fails', async () => {
  const [bad, good] = [await newSource({ renewAt: ago(2) }), await newSource({ renewAt: ago(1) })];
  await database.pool.query(`
    CREATE OR REPLACE FUNCTION public.poisoned() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'poisoned'; END $$;
    CREATE TRIGGER poison BEFORE UPDATE ON triggers.sources FOR EACH ROW WHEN (OLD.id = '${bad.id}')
      EXECUTE FUNCTION public.poisoned()`);
  try {
    expect((await attend()).map(({ id }) => id)).toEqual([good.id]);
  } finally {
    await database.pool.query('DROP TRIGGER poison ON triggers.sources');
  }
});
