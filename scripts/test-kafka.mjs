import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { start } from './step.mjs';

/** Runs scripts/kafka.mjs on a free port with a temporary data folder. Throws if the node exits before it is ready. */
export async function startKafka() {
  const data = mkdtempSync(join(tmpdir(), 'drawbridge-kafka-'));
  const args = ['scripts/kafka.mjs', '--port', '0', '--data', data];
  const child = start(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const words = [];
  child.stderr.on('data', (chunk) => words.push(chunk));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const brokers = await new Promise((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const ready = /^kafka ready on (\S+)/.exec(line);
      if (ready) resolve(ready[1]);
    });
    child.once('close', () => reject(new Error(`Kafka did not start:\n${Buffer.concat(words)}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  return { brokers, stop };
}
