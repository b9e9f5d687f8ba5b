// Shapes: kafka
import kafkajs from 'kafkajs';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';

const TOPIC = 'drawbridge.connections.v1';
const DEAD = `${TOPIC}.dead`;
const HOUR = 3_600_000;
/** The retention of dead letters (docs/operating.md). */
const KEPT = 30 * 24 * HOUR;
/** The test broker checks retention every 5 s, beginning 30 s after its start. */
const PURGED_MS = 60_000;

let kafka: kafkajs.Kafka;
let admin: kafkajs.Admin;

beforeAll(async () => {
  const { kafkaBrokers } = await drawbridge();
  kafka = new kafkajs.Kafka({ brokers: [kafkaBrokers], logLevel: kafkajs.logLevel.NOTHING });
  admin = kafka.admin();
  await admin.connect();
});
afterAll(() => admin?.disconnect());

async function publish(topic: string, messages: kafkajs.Message[]): Promise<void> {
  const producer = kafka.producer();
  await producer.connect();
  await producer.send({ topic, messages });
  await producer.disconnect();
}

/** Returns for each partition the offsets of the first stored record and the next record. */
async function offsets(): Promise<{ first: string; next: string }[]> {
  const partitions = await admin.fetchTopicOffsets(DEAD);
  return partitions
    .toSorted((one, other) => one.partition - other.partition)
    .map(({ low, high }) => ({ first: low, next: high }));
}

it(
  'an unreadable event stays among the dead letters for thirty days and no longer',
  async () => {
    await publish(TOPIC, [{ key: 'a', value: 'no envelope' }]);
    const arrived = await eventually(async () => {
      const now = await offsets();
      expect(now.filter(({ next }) => next !== '0')).toHaveLength(1);
      return now;
    });

    const young = arrived.findIndex(({ next }) => next === '0');
    const old = arrived.findLastIndex(({ next }) => next === '0');
    const letter = (partition: number, age: number): kafkajs.Message => {
      return { partition, value: 'a letter', timestamp: String(Date.now() - age) };
    };
    await publish(DEAD, [letter(young, KEPT - HOUR), letter(old, KEPT + HOUR)]);

    await eventually(async () => {
      const now = await offsets();
      expect([now[young], now[old]]).toEqual([
        { first: '0', next: '1' },
        { first: '1', next: '1' },
      ]);
    }, PURGED_MS);
  },
  2 * PURGED_MS,
);
