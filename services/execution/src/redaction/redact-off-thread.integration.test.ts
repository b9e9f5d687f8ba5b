import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { QueueFullError, WorkerLimitError, workerPool } from '@drawbridge/turns';
import { outputRedactor } from './redact-off-thread.js';
import { redactor } from './redactor.js';

/** The compiled worker, because a worker thread cannot run TypeScript sources. */
const WORKER = pathToFileURL(join(import.meta.dirname, '../../dist/redaction/redaction-worker.js'));
const TOKEN = 'ghp_0123456789abcdef';
const redact = redactor([TOKEN]);
const json = JSON.stringify(Array.from({ length: 200 }, () => `\n${TOKEN}&%41`.repeat(1_000)));

it.each([
  ['rewritten', json],
  ['refused for its key', JSON.stringify({ [TOKEN]: json })],
])('redacts a large output like a small one, without blocking the event loop: %s', async (_how, output) => {
  const outputs = outputRedactor(workerPool(WORKER, { workers: 1, waiting: 20, jobMs: 60_000 }));
  let [turns, isOver] = [0, false];
  const turn = (): void => void (isOver || (turns++, setImmediate(turn)));
  const redacted = outputs.redact('acme', { json: output, redact }).finally(() => (isOver = true));
  turn();
  expect(await redacted).toEqual(redact.output(output));
  expect(turns).toBeGreaterThan(10);
  await outputs.stop(0);
});

it('fails where an output is not redacted in time, or too many wait', async () => {
  const outputs = outputRedactor(workerPool(WORKER, { workers: 1, waiting: 1, jobMs: 1 }));
  const results = await Promise.allSettled([1, 2, 3].map(() => outputs.redact('acme', { json, redact })));
  const errors = results.map((one) => one.status === 'rejected' && one.reason);
  expect(errors).toEqual([expect.any(WorkerLimitError), expect.any(WorkerLimitError), expect.any(QueueFullError)]);
  await outputs.stop(0);
});
