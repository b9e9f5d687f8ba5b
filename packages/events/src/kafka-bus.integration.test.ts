import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, succeeds } from './fixtures/eventually.js';
import { type KafkaNode, startKafkaNode } from './fixtures/kafka-node.js';
import { idOf, messages, quietLog, receiver } from './fixtures/messages.js';
import { KafkaBus } from './kafka-bus.js';

const describeOnKafka = process.env.KAFKA_BROKERS ? describe : describe.skip;

describeOnKafka('the bus on a Kafka that goes away', () => {
  const data = mkdtempSync(join(tmpdir(), 'drawbridge-kafka-'));
  let node: KafkaNode | undefined;
  afterAll(async () => {
    await node?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  it('starts without it, refuses to publish meanwhile, and carries on when it comes back', async () => {
    node = await startKafkaNode(data);
    const { port } = node;
    await node.stop();

    const topic = `drawbridge.test-${randomUUID()}.v1`;
    const { ids, handler } = receiver();
    const bus = new KafkaBus({ brokers: [`127.0.0.1:${port}`], clientId: 'events-test', log: quietLog() });
    bus.subscribe(topic, 'execution', handler);
    await bus.start();
    const sent = messages(2);
    await expect(bus.publish(topic, sent)).rejects.toThrow();
    await expect(bus.ping()).rejects.toMatchObject({ code: 'UNAVAILABLE' });

    for (const round of [0, 1]) {
      node = await startKafkaNode(data, port);
      await eventually(() => succeeds(bus.publish(topic, [sent[round]!])));
      await eventually(() => ids.includes(idOf(sent[round]!)));
      await node.stop();
    }
    await bus.stop();
  }, 120_000);
});
