import { type Product } from '@drawbridge/testkit';
import kafkajs from 'kafkajs';
import { openClient } from './database.js';
import { eventually } from './eventually.js';

const TABLES = `
  SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
  WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`;

/** Returns all rows of all tables as JSON, with bytes in hex. */
export async function databaseContents(databaseUrl: string): Promise<string> {
  const client = await openClient(databaseUrl);
  try {
    const dumps: string[] = [];
    for (const { name } of (await client.query<{ name: string }>(TABLES)).rows) {
      const { rows } = await client.query<{ line: string }>(`SELECT to_json(t)::text AS line FROM ${name} t`);
      dumps.push(name, ...rows.map(({ line }) => line));
    }
    return dumps.join('\n');
  } finally {
    await client.end();
  }
}

/** Returns the key, value and headers of every record of all topics. */
export async function kafkaContents({ kafkaBrokers, kafkaPrefix }: Product): Promise<string> {
  const { Kafka, logLevel } = kafkajs;
  const kafka = new Kafka({ brokers: [kafkaBrokers], clientId: 'test', logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  const consumer = kafka.consumer({ groupId: `test-${process.pid}-${Date.now()}` });
  await Promise.all([admin.connect(), consumer.connect()]);
  try {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(`${kafkaPrefix}drawbridge.`));
    const offsets = (await Promise.all(topics.map((topic) => admin.fetchTopicOffsets(topic)))).flat();
    const wanted = offsets.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);

    const seen: string[] = [];
    await consumer.subscribe({ topics, fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ message: { key, value, headers } }) => {
        seen.push([key, value, JSON.stringify(headers)].map((part) => part?.toString('latin1') ?? '').join('\n'));
      },
    });
    await eventually(async () => expect(seen.length).toBeGreaterThanOrEqual(wanted), 40_000);
    return seen.join('\n');
  } finally {
    await Promise.all([admin.disconnect(), consumer.disconnect()]);
  }
}
