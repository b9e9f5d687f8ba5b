import { retention } from '@drawbridge/events';
import { OLD_EVENTS } from './retention.js';
import { deliveriesOf, tell } from './testing/delivering.js';
import { database, eventsOf, log, newSource } from './testing/sources.js';

it('keeps what happened for as long as it may be delivered again', async () => {
  const source = await newSource();
  await tell(source, 3);
  const [dead, , arrived] = await deliveriesOf(source);
  for (const [{ id, orgId }, status] of [
    [dead!, 'failed'],
    [arrived!, 'success'],
  ] as const) {
    await database.db.delivery.updateMany({ where: { id, orgId }, data: { status } });
  }
  const before = await eventsOf(source);
  await database.pool.query("UPDATE triggers.events SET created_at = now() - interval '38 days'");
  const turn = retention({ pool: database.pool, log, rules: [OLD_EVENTS] });
  await turn.start();
  await turn.stop(Date.now() + 10_000);
  expect(await eventsOf(source)).toEqual(before.slice(0, 2));
});
