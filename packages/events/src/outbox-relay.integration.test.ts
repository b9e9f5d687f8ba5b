import { consumeOnce } from './consume-once.js';
import { eventually } from './fixtures/eventually.js';
import {
  database,
  event,
  log,
  pool,
  recordingBus,
  running,
  startRelay,
  TOPIC,
  unpublished,
  write,
  writeOfOne,
} from './fixtures/outbox.js';
import { InProcessBus } from './in-process-bus.js';

describe('the outbox relay', () => {
  it('publishes committed events in the order of writing, and marks them', async () => {
    const published: string[] = [];
    await startRelay(recordingBus(published));
    const ids = await writeOfOne(20);

    await eventually(async () => (await unpublished()) === 0);
    expect(published).toEqual(ids);
  });

  it('publishes a backlog larger than a batch', async () => {
    await pool.query(
      `INSERT INTO outbox (id, type, org_id, envelope) SELECT gen_random_uuid(), 'x', gen_random_uuid(), $1
       FROM generate_series(1, 1201)`,
      [event().envelope],
    );
    const published: string[] = [];
    await startRelay(recordingBus(published));

    await eventually(async () => (await unpublished()) === 0);
    expect(published).toHaveLength(1201);
  });

  it('publishes each row once while several relays race', async () => {
    const published: string[] = [];
    const slowly = () => new Promise<void>((resolve) => setImmediate(resolve));
    const relays = await Promise.all(
      [1, 2, 3].map(() => startRelay(recordingBus(published, slowly), database.newPool())),
    );
    const ids: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      ids.push(...(await write(10)));
      for (const relay of relays) relay.wake();
    }

    await eventually(async () => (await unpublished()) === 0);
    expect([...published].sort()).toEqual(ids.sort());
  });

  it('keeps a row unpublished when the bus fails, and publishes it later', async () => {
    const published: string[] = [];
    let failures = 2;
    const failTwice = async () => {
      if (failures-- > 0) throw new Error('no broker');
    };
    const [id] = await write(1);
    const relay = await startRelay(recordingBus(published, failTwice));

    await eventually(async () => {
      relay.wake();
      return (await unpublished()) === 0;
    });
    expect(published).toEqual([id]);
  });

  it('continues when the clock is set back', async () => {
    const published: string[] = [];
    const relay = await startRelay(recordingBus(published));
    const [first] = await write(1);
    relay.wake();
    await eventually(async () => (await unpublished()) === 0);

    const { now } = Date;
    Date.now = () => now() - 3_600_000;
    try {
      const [second] = await write(1);
      await eventually(async () => published.length === 2);
      expect(published).toEqual([first, second]);
    } finally {
      Date.now = now;
    }
  });

  it('ends at the deadline while the bus hangs', async () => {
    let release = (): void => undefined;
    const isHanging = new Promise<void>((resolve) => (release = resolve));
    let asked = false;
    const relay = await startRelay(recordingBus([], () => ((asked = true), isHanging)));
    await write(1);
    await eventually(async () => asked);
    await relay.stop(Date.now() + 50);
    expect(await unpublished()).toBe(1);
    release();
    await eventually(async () => (await unpublished()) === 0);
  });

  it('publishes unmarked events again after its connection was killed; the inbox drops the repeats', async () => {
    const bus = new InProcessBus({ log });
    const applied: string[] = [];
    const consume = consumeOnce(database, {
      workspaceDeleted: async (events) => applied.push(...events.map(({ id }) => id)),
    });
    let deliveries = 0;
    bus.subscribe(TOPIC, 'connections', async (events) => {
      await consume(events);
      deliveries += 1;
      // Terminates the connection of the relay, which waits in its transaction for this handler.
      if (deliveries === 1) await killIdleInTransaction();
    });
    await bus.start();
    running.push(bus);
    const ids = await writeOfOne(3);
    await startRelay(bus, database.newPool());

    await eventually(async () => (await unpublished()) === 0);
    expect(deliveries).toBe(2);
    expect(applied).toEqual(ids);
  });
});

async function killIdleInTransaction(): Promise<void> {
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity JOIN pg_locks USING (pid)
     WHERE locktype = 'advisory' AND state = 'idle in transaction' AND application_name = $1`,
    [database.schema],
  );
}
