import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { baseEnv } from './base-env.js';
import { type Running, startChild } from './child.js';
import { KAFKA_SCRIPT } from './paths.js';

/** A Kafka of its own for one product, or for several that each have a KAFKA_PREFIX: with one they would take each other's events. */
export async function startKafka(folder: string): Promise<Running & { brokers: string }> {
  const data = join(folder, 'kafka');
  mkdirSync(data);
  const command = [process.execPath, KAFKA_SCRIPT, '--port', '0', '--data', data];
  const child = await startChild(
    { name: 'kafka', command, env: baseEnv(), readyWhen: /kafka ready on (127\.0\.0\.1:\d+)/ },
    folder,
  );
  return { ...child, brokers: child.ready[1] ?? '' };
}
