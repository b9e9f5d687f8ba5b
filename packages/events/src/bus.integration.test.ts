import type { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import type { ServiceName } from '@drawbridge/contracts';
import { type Bus, type Handler, MAX_BATCH, type Message, type Topic } from './bus.js';
import { eventually, succeeds } from './fixtures/eventually.js';
import { HOW_TO_RUN } from './fixtures/kafka-node.js';
import { idOf, messages, quietLog, receiver, testTopic } from './fixtures/messages.js';
import { InProcessBus } from './in-process-bus.js';
import { KafkaBus } from './kafka-bus.js';

const log = quietLog();
const retry = { attempts: 3, firstDelayMs: 5, timeLimitAttempts: 3 };
const shapes = [{ name: 'in one process', newBus: (): Bus => new InProcessBus({ log, retry }) }];

const brokers = process.env.KAFKA_BROKERS;
if (brokers) {
  const newBus = () => new KafkaBus({ brokers: brokers.split(','), clientId: 'events-test', log, retry });
  shapes.push({ name: 'on Kafka', newBus });
} else if (process.env.REQUIRE?.split(',').includes('kafka')) {
  it('runs on Kafka, as REQUIRE asks', () => {
    throw new Error(HOW_TO_RUN);
  });
} else {
  it.skip(`on Kafka: ${HOW_TO_RUN}`, () => {});
}

describe.each(shapes)('the bus $name', ({ newBus }) => {
  const open: Bus[] = [];
  let topic: Topic;

  beforeEach(() => {
    topic = testTopic();
    log.errors.length = 0;
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((bus) => bus.stop()));
  });

  /** Starts a bus with these handlers, each in its group. */
  async function start(...subscriptions: [group: ServiceName, handler: Handler][]): Promise<Bus> {
    const bus = newBus();
    open.push(bus);
    for (const [group, handler] of subscriptions) bus.subscribe(topic, group, handler);
    await bus.start();
    await eventually(() => succeeds(bus.ping()));
    return bus;
  }

  it('delivers every event, in batches, those of one key in order', async () => {
    const { ids, events, batches, handler } = receiver();
    const bus = await start(['execution', handler]);
    const keys = [messages(600), messages(600), messages(600)];
    for (const from of [0, 200, 400]) {
      const part = keys.flatMap((key) => key.slice(from, from + 200));
      await bus.publish(topic, part);
    }

    await eventually(() => ids.length >= 1800);
    for (const key of keys) expect(idsOf(key[0]?.key, events)).toEqual(key.map(idOf));
    expect(Math.max(...batches)).toBeGreaterThan(1);
    expect(Math.max(...batches)).toBeLessThanOrEqual(MAX_BATCH);
  });

  it('delivers every event to every group', async () => {
    const [execution, catalog] = [receiver(), receiver()];
    const bus = await start(['execution', execution.handler], ['catalog', catalog.handler]);
    const sent = messages(20);
    await bus.publish(topic, sent);

    await eventually(() => execution.ids.length >= 20 && catalog.ids.length >= 20);
    expect(execution.ids).toEqual(sent.map(idOf));
    expect(catalog.ids).toEqual(sent.map(idOf));
  });

  it('shares the events of a group among its members', async () => {
    const [one, other] = [receiver(), receiver()];
    const bus = await start(['execution', one.handler], ['execution', other.handler]);
    const sent = Array.from({ length: 100 }, () => messages(2)).flat();
    await bus.publish(topic, sent);

    await eventually(() => one.ids.length + other.ids.length >= 200);
    expect([...one.ids, ...other.ids].sort()).toEqual(sent.map(idOf).sort());
    expect(Math.min(one.ids.length, other.ids.length)).toBeGreaterThan(0);
  });

  it('retries a failing batch', async () => {
    const { ids, handler } = receiver();
    let failures = 0;
    const bus = await start(['execution', failing(() => (failures += 1) <= 2, handler)]);
    const sent = messages(5);
    await bus.publish(topic, sent);

    await eventually(() => ids.length >= 5);
    expect(new Set(ids)).toEqual(new Set(sent.map(idOf)));
    expect(log.errors).toEqual([]);
  });

  it('moves only the event that keeps failing to the dead letters', async () => {
    const [healthy, dead] = [receiver(), receiver()];
    const sent = messages(20);
    const poison = idOf(sent[7]!);
    const isPoisoned = (events: Envelope[]) => events.some(({ id }) => id === poison);
    const bus = newBus();
    open.push(bus);
    bus.subscribe(topic, 'execution', failing(isPoisoned, healthy.handler));
    bus.subscribe(`${topic}.dead` as Topic, 'gateway', dead.handler);
    await bus.start();
    await bus.publish(topic, sent);

    await eventually(() => dead.ids.length > 0 && healthy.ids.length >= 19);
    expect(dead.ids).toEqual([poison]);
    expect(new Set(healthy.ids)).toEqual(new Set(sent.map(idOf).filter((id) => id !== poison)));
    expect(log.errors).toEqual([expect.objectContaining({ topic, group: 'execution', eventId: poison })]);
  });

  it('skips a record that is not an event', async () => {
    const { ids, handler } = receiver();
    const bus = await start(['execution', handler]);
    const [event] = messages(1);
    await bus.publish(topic, [{ key: event!.key, value: Buffer.from('no event') }, event!]);

    await eventually(() => ids.length > 0);
    expect(ids).toEqual([idOf(event!)]);
    expect(log.errors).toHaveLength(1);
  });

  it('keeps events out of the dead letters while the database of a consumer is unavailable', async () => {
    const { ids, handler } = receiver();
    let failures = 0;
    const outage = new Error('Connection terminated unexpectedly');
    const bus = await start(['execution', failing(() => (failures += 1) <= 10, handler, outage)]);
    const sent = messages(5);
    await publishUntilSafe(bus, sent);

    await eventually(() => ids.length >= 5);
    expect(new Set(ids)).toEqual(new Set(sent.map(idOf)));
    expect(log.errors).toEqual([]);
  });

  it('delivers only unhandled events after a restart', async () => {
    const [before, after] = [receiver(), receiver()];
    const [handled, unhandled] = [messages(10), messages(10)];
    let tries = 0;
    const outage = new Error('Connection terminated unexpectedly');
    const stuck = failing(() => before.ids.length > 0 && (tries += 1) > 0, before.handler, outage);
    const first = await start(['execution', stuck]);
    await first.publish(topic, handled);
    await eventually(() => before.ids.length >= 10);
    const published = succeeds(first.publish(topic, unhandled));
    await eventually(() => tries > 0);
    await first.stop();

    const second = await start(['execution', after.handler]);
    if (!(await published)) await second.publish(topic, unhandled);
    await eventually(() => after.ids.length >= 10);
    expect(after.ids).toEqual(unhandled.map(idOf));
  });

  it('waits for a running handler when it stops', async () => {
    const { ids, handler } = receiver();
    let release = () => {};
    let working = false;
    const bus = await start([
      'execution',
      async (events) => {
        working = true;
        await new Promise<void>((resolve) => (release = resolve));
        await handler(events);
      },
    ]);
    void bus.publish(topic, messages(1)).catch(() => undefined);
    await eventually(() => working);
    const stopped = bus.stop();
    release();
    await stopped;

    expect(ids).toHaveLength(1);
    await expect(bus.publish(topic, messages(1))).rejects.toThrow('stopped');
  });

  /** Retries like the outbox relay. */
  async function publishUntilSafe(bus: Bus, sent: Message[]): Promise<void> {
    await eventually(() => succeeds(bus.publish(topic, sent)));
  }
});

function failing(when: (events: Envelope[]) => boolean, handler: Handler, error = new Error('on purpose')): Handler {
  return async (events) => {
    if (when(events)) throw error;
    await handler(events);
  };
}

function idsOf(key: string | undefined, events: Envelope[]): string[] {
  return events.filter(({ orgId }) => orgId === key).map(({ id }) => id);
}
