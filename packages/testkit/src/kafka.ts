import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { baseEnv } from './base-env.js';
import { type Running, startChild } from './child.js';
import { KAFKA_SCRIPT } from './paths.js';

/**
 * A Kafka of its own for one product, or for several that each have a KAFKA_PREFIX: with one they would take each other's events. What it
 * keeps is in the folder: started there again, on the port that it had, it goes on.
 */
export async function startKafka(folder: string, port = 0): Promise<Running & { brokers: string }> {
  const data = join(folder, 'kafka');
  mkdirSync(data, { recursive: true });
  const command = [process.execPath, KAFKA_SCRIPT, '--port', `${port}`, '--data', data];
  const child = await startChild(
    { name: 'kafka', command, env: baseEnv(), readyWhen: /kafka ready on (127\.0\.0\.1:\d+)/ },
    folder,
  );
  return { ...child, brokers: child.ready[1] ?? '' };
}
