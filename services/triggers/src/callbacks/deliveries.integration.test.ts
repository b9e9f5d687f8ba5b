import { type Outbox } from '@drawbridge/events';
import { type CallContext, runInContext } from '@drawbridge/rpc';
import { type PrismaClient as Db, type Source } from '../gen/prisma/client.js';
import { deliveriesOf, tell } from '../testing/delivering.js';
import { database, log, newSource } from '../testing/sources.js';
import { triggerDeliveries } from './deliveries.js';

/** Records the success of a delivery like a callback worker, which deletes the payload of the event in the same transaction. */
async function deliver({ orgId, id }: Source): Promise<void> {
  const ended = `WITH d AS (UPDATE triggers.deliveries SET status = 'success' WHERE org_id = $1 AND source_id = $2 RETURNING event_id)
    UPDATE triggers.events SET payload = 'null' WHERE org_id = $1 AND id IN (SELECT event_id FROM d)`;
  await database.pool.query(ended, [orgId, id]);
}

/** Returns the service with a database that delivers the event of the source right after the service has read its delivery. */
function servedWhile(source: Source) {
  const { db } = database;
  const findFirst = async (args: Parameters<Db['delivery']['findFirst']>[0]) => {
    const row = await db.delivery.findFirst(args);
    await deliver(source);
    return row;
  };
  const racing = new Proxy(db, {
    get: (target, name) => (name === 'delivery' ? { findFirst } : Reflect.get(target, name, target)),
  });
  const never = async () => undefined;
  return triggerDeliveries({ db: racing, outbox: {} as Outbox, enqueueAsked: never, requireWorkspaceNow: never });
}

it('returns no body for an event that is delivered while it is read, instead of a body without a payload', async () => {
  const source = await newSource();
  await tell(source, 1);
  const [delivery] = await deliveriesOf(source);
  const caller = { orgId: source.orgId, userId: source.userId, permissions: { scope: 'org' }, source: 'rest' };
  const serving = { grant: 'triggers.read' };
  const context = {
    caller,
    serving,
    log,
    deadline: Infinity,
    signal: new AbortController().signal,
  } as unknown as CallContext;
  const read = await runInContext(context, async () =>
    servedWhile(source).getTriggerDelivery({ id: source.id, deliveryId: delivery!.id }),
  );
  expect(read).toMatchObject({ delivery: { status: 'pending' }, body: undefined });
});
