import { NIL_ID } from '@drawbridge/contracts';
import { MAX_BYTES, type Message, MessageTooLarge } from './bus.js';
import { eventually } from './fixtures/eventually.js';
import {
  bytesOf,
  database,
  event,
  idsIn,
  log,
  pool,
  recordingBus,
  refusingBus,
  startRelay,
  TOPIC,
  unpublished,
  write,
  writeEvents,
} from './fixtures/outbox.js';
import { outboxStatements } from './outbox-statements.js';

describe('the outbox relay and its organizations', () => {
  const [first, second, third] = Array.from({ length: 3 }, (_, index) => `0198000${index}-0000-7000-8000-000000000000`);

  it('publishes at most the bytes at once that a partition accepts', async () => {
    const large = 'x'.repeat(8_200);
    const ids = await writeEvents(Array.from({ length: 150 }, () => event(first, large)));
    const { bus, taken } = refusingBus(() => undefined);
    await startRelay(bus);
    await eventually(async () => (await unpublished()) === 0);
    expect(idsIn(taken)).toEqual(ids);
    expect(taken.length).toBeGreaterThan(1);
    expect(Math.max(...taken.map(bytesOf))).toBeLessThanOrEqual(MAX_BYTES.batch);
  });

  it('publishes events of each organization while another has a backlog', async () => {
    const many = await writeEvents(Array.from({ length: 450 }, () => event(first)));
    const few = [...(await writeEvents([event(second)])), ...(await writeEvents([event(third)]))];
    const { bus, taken } = refusingBus(() => undefined);
    await startRelay(bus);
    await eventually(async () => (await unpublished()) === 0);
    const ids = idsIn(taken);
    expect(idsIn(taken.slice(0, 1))).toEqual(expect.arrayContaining(few));
    expect(ids.filter((id) => many.includes(id))).toEqual(many);
  });

  it('alternates between organizations if the bytes of a few fill each batch', async () => {
    const large = 'x'.repeat(300_000);
    const organizations = [first, second, third];
    for (const org of organizations) await writeEvents([event(org, large), event(org, large)]);
    const { bus, taken } = refusingBus(() => undefined);
    await startRelay(bus);
    await eventually(async () => (await unpublished()) === 0);
    const served = taken.flat().map(({ key }) => key);
    expect(new Set(served.slice(0, 3))).toEqual(new Set(organizations));
  });

  it('also publishes events without an organization', async () => {
    const ids = await writeEvents([event(first), event(NIL_ID), event(NIL_ID)]);
    const { bus, taken } = refusingBus(() => undefined);
    await startRelay(bus);
    await eventually(async () => (await unpublished()) === 0);
    expect(idsIn(taken).sort()).toEqual(ids.sort());
  });

  it('publishes and marks the events of others once, while those of one organization fail', async () => {
    const failing = event(second);
    const ids = await writeEvents([event(first), failing, event(third), event(first)]);
    let isBroken = true;
    const { bus, taken } = refusingBus((messages) =>
      isBroken && messages.some(({ key }) => key === second) ? new Error('NOT_ENOUGH_REPLICAS') : undefined,
    );
    const relay = await startRelay(bus);
    await eventually(async () => (await unpublished()) === 1);
    await writeEvents([event(third)]);
    await eventually(async () => (await unpublished()) === 1);
    expect(idsIn(taken)).toHaveLength(4);
    expect(relay.jobs[0]!.putAside()).toBe(1);

    isBroken = false;
    await eventually(async () => (await unpublished()) === 0);
    expect(idsIn(taken).sort()).toEqual(expect.arrayContaining(ids));
    expect(relay.jobs[0]!.putAside()).toBe(0);
  });

  it('continues with others if the rows of one organization cannot be marked', async () => {
    await pool.query(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.org_id = '${first}' THEN RAISE 'poisoned'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER poison BEFORE UPDATE ON outbox FOR EACH ROW EXECUTE FUNCTION refuse()`);
    try {
      await writeEvents([event(first), event(second), event(third)]);
      await startRelay(recordingBus([]));
      await eventually(async () => (await unpublished()) === 1);
    } finally {
      await pool.query('DROP TRIGGER poison ON outbox');
    }
    await eventually(async () => (await unpublished()) === 0);
  });

  it.each([
    ['too large for any batch', () => event(first, 'x'.repeat(MAX_BYTES.event + 1)), () => undefined],
    [
      'that a broker refuses as too large',
      () => event(first, 'x'.repeat(200_000)),
      (sent: Message[]) => (bytesOf(sent) > 100_000 ? new MessageTooLarge('10') : undefined),
    ],
    ['that cannot be read', () => ({ ...event(first), envelope: Buffer.from('no envelope') }), () => undefined],
  ])('moves an event %s to the dead letters, and continues', async (_, poisoned, refuse) => {
    log.errors.length = 0;
    const bad = poisoned();
    const [before, , after, other] = await writeEvents([event(first), bad, event(first), event(second)]);
    const { bus, taken } = refusingBus(refuse);
    await startRelay(bus);
    await eventually(async () => (await unpublished()) === 0);
    const { rows } = await pool.query('SELECT id, org_id, envelope, reason FROM dead_events');
    // `toEqual` compares buffers byte by byte, which takes seconds for the largest envelope.
    const dead = rows.map(({ envelope, ...row }) => ({ ...row, isSame: bad.envelope.equals(envelope) }));
    expect(dead).toEqual([{ id: bad.id, org_id: first, isSame: true, reason: expect.any(String) }]);
    expect(idsIn(taken).filter((id) => id !== other)).toEqual([before, after]);
    expect(idsIn(taken)).toContain(other);
    expect(log.errors).toEqual([expect.objectContaining({ eventId: bad.id, topic: TOPIC })]);
  });

  it('skips an organization with an event that cannot be moved to the dead letters', async () => {
    const sql = `ALTER TABLE dead_events ADD CONSTRAINT poison CHECK (org_id <> '${first}')`;
    await pool.query(sql);
    try {
      await writeEvents([event(first, 'x'.repeat(200_000)), event(second)]);
      const { bus } = refusingBus((sent) => (bytesOf(sent) > 100_000 ? new MessageTooLarge('10') : undefined));
      const relay = await startRelay(bus);
      await eventually(async () => (await unpublished()) === 1 && relay.jobs[0]!.putAside() === 1);
    } finally {
      await pool.query('ALTER TABLE dead_events DROP CONSTRAINT poison');
    }
    await eventually(async () => (await unpublished()) === 0);
  });

  it('skips no organization while the bus is unavailable', async () => {
    let isAway = true;
    let calls = 0;
    const { bus, taken } = refusingBus(() => {
      calls += 1;
      return isAway ? Object.assign(new Error('away'), { code: 'UNAVAILABLE' }) : undefined;
    });
    const ids = await write(5);
    const relay = await startRelay(bus);
    await eventually(() => calls >= 2);
    expect(relay.jobs[0]!.putAside()).toBe(0);
    isAway = false;
    await eventually(async () => (await unpublished()) === 0);
    expect(idsIn(taken).sort()).toEqual(ids.sort());
  });

  it('reads only the rows that a round publishes', async () => {
    await writeEvents([event(second)]);
    await pool.query(
      `INSERT INTO outbox (id, type, org_id, envelope)
       SELECT gen_random_uuid(), 'x', CASE WHEN n % 2 = 0 THEN $2::uuid ELSE gen_random_uuid() END, $1
       FROM generate_series(1, 20000) AS n`,
      [event().envelope, first],
    );
    await pool.query('ANALYZE outbox');
    const { text } = outboxStatements(database.schema).read;
    const sql = text.replace('$1', `'${first}'`).replace('$2', "'{}'");
    const { rows } = await pool.query(
      `EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off, BUFFERS, FORMAT json) ${sql}`,
    );
    const plan = rows[0]['QUERY PLAN'][0].Plan;
    expect(JSON.stringify(plan)).not.toContain('Seq Scan');
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(3_000);
  });
});
