import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { baseEnv } from './base-env.js';
import { type Running, startChild } from './child.js';
import { KAFKA_SCRIPT } from './paths.js';

/**
 * Starts a Kafka for one product, or for several with different KAFKA_PREFIXes, without which they would consume each other's events. Its data is in
 * the folder: a restart there on the same port continues with it.
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
