import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import kafkajs from 'kafkajs';
import { MAX_BYTES, MessageTooLarge, RECORD_OVERHEAD_BYTES } from './bus.js';
import { eventually, succeeds } from './fixtures/eventually.js';
import { freePort, HOW_TO_RUN, type KafkaNode, startKafkaNode } from './fixtures/kafka-node.js';
import { idOf, message, messages, quietLog, receiver, testTopic } from './fixtures/messages.js';
import { KafkaBus } from './kafka-bus.js';

const title = 'the bus on a Kafka that goes away';

if (process.env.KAFKA_BROKERS) describe(title, onKafka);
else describe.skip(`${title}: ${HOW_TO_RUN}`, onKafka);

function onKafka() {
  const data = mkdtempSync(join(tmpdir(), 'drawbridge-kafka-'));
  let node: KafkaNode | undefined;

  afterAll(async () => {
    await node?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  it('starts without Kafka, refuses to publish, and continues when Kafka is available again', async () => {
    const port = await freePort();
    const topic = testTopic();
    const { ids, handler } = receiver();
    const bus = new KafkaBus({ brokers: [`127.0.0.1:${port}`], clientId: 'events-test', log: quietLog() });
    bus.subscribe(topic, 'execution', handler);
    await bus.start();
    await expect(bus.publish(topic, messages(1))).rejects.toThrow();
    await expect(bus.ping()).rejects.toMatchObject({ code: 'UNAVAILABLE' });

    for (const message of messages(2)) {
      node = await startKafkaNode(data, port);
      await eventually(() => succeeds(bus.publish(topic, [message])));
      await eventually(() => ids.includes(idOf(message)));
      await node.stop();
    }
    await bus.stop();
  }, 120_000);

  it('is isolated from buses with another prefix', async () => {
    const brokers = process.env.KAFKA_BROKERS!.split(',');
    const topic = testTopic();
    const of = (prefix: string) => new KafkaBus({ brokers, prefix, clientId: 'events-test', log: quietLog() });
    const sides = ['', 'staging.'].map((prefix) => ({ bus: of(prefix), sent: messages(3), got: receiver() }));
    for (const { bus, got } of sides) {
      bus.subscribe(topic, 'execution', got.handler);
      await bus.start();
    }
    for (const { bus, sent } of sides) await eventually(() => succeeds(bus.publish(topic, sent)));
    for (const { sent, got } of sides) {
      await eventually(() => got.ids.length >= sent.length);
      expect(new Set(got.ids)).toEqual(new Set(sent.map(idOf)));
    }
    await Promise.all(sides.map(({ bus }) => bus.stop()));
  });

  it('accepts all that the relay publishes at once, and reports a batch that is too large for a broker', async () => {
    const brokers = process.env.KAFKA_BROKERS!.split(',');
    const topic = testTopic();
    const { ids, handler } = receiver();
    const bus = new KafkaBus({ brokers, clientId: 'events-test', log: quietLog() });
    bus.subscribe(topic, 'execution', handler);
    await bus.start();
    const org = randomUUID();
    const of = (count: number, bytes: number) => Array.from({ length: count }, () => message(org, 'x'.repeat(bytes)));
    await expect(bus.publish(topic, of(150, 8_200))).rejects.toBeInstanceOf(MessageTooLarge);
    const batch = of(Math.floor(MAX_BYTES.batch / (8_200 + RECORD_OVERHEAD_BYTES)), 8_200);
    const single = of(1, MAX_BYTES.event - 1_000);
    for (const sent of [batch, single]) await eventually(() => succeeds(bus.publish(topic, sent)));
    const sent = [...batch, ...single].map(idOf);
    await eventually(() => sent.every((id) => ids.includes(id)));
    await bus.stop();
  });

  it('delivers events on brokers that compress topics by default', async () => {
    const port = await freePort();
    const own = mkdtempSync(join(tmpdir(), 'drawbridge-kafka-'));
    const compressing = await startKafkaNode(own, port);
    const brokers = [`127.0.0.1:${port}`];
    await compressByDefault(brokers);
    const topic = testTopic();
    const { ids, handler } = receiver();
    const bus = new KafkaBus({ brokers, clientId: 'events-test', log: quietLog() });
    bus.subscribe(topic, 'execution', handler);
    await bus.start();
    const [sent] = messages(1);
    try {
      await eventually(() => succeeds(bus.publish(topic, [sent!])));
      await eventually(() => ids.includes(idOf(sent!)));
    } finally {
      await bus.stop();
      await compressing.stop();
      rmSync(own, { recursive: true, force: true });
    }
  }, 120_000);

  it('creates topics that keep events for 6 days and dead letters for 30', async () => {
    const brokers = process.env.KAFKA_BROKERS!.split(',');
    const topic = testTopic();
    const bus = new KafkaBus({ brokers, clientId: 'events-test', log: quietLog() });
    await bus.publish(topic, messages(1));
    await bus.publish(`${topic}.dead`, messages(1));
    await bus.stop();
    expect([await keptDays(brokers, topic), await keptDays(brokers, `${topic}.dead`)]).toEqual([6, 30]);
  });
}

/** Sets `compression.type` of the cluster, which applies to topics without their own setting. */
async function compressByDefault(brokers: string[]): Promise<void> {
  const admin = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING }).admin();
  await admin.connect();
  const configEntries = [{ name: 'compression.type', value: 'lz4' }];
  const resources = [{ type: kafkajs.ConfigResourceTypes.BROKER, name: '1', configEntries }];
  await admin.alterConfigs({ validateOnly: false, resources });
  await admin.disconnect();
}

async function keptDays(brokers: string[], name: string): Promise<number> {
  const admin = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING }).admin();
  await admin.connect();
  const wanted = { type: kafkajs.ConfigResourceTypes.TOPIC, name, configNames: ['retention.ms'] };
  const { resources } = await admin.describeConfigs({ resources: [wanted], includeSynonyms: false });
  await admin.disconnect();
  return Number(resources[0]?.configEntries[0]?.configValue) / (24 * 60 * 60 * 1000);
}
