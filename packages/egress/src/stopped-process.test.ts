import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createEgress } from './index.js';

const TIMEOUT_MS = 2_000;

/**
 * A server that runs in a worker thread. It reports each request, waits until the first number of the shared state is set, then responds and sets the
 * second number.
 */
const SERVER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const state = new Int32Array(workerData);
  const server = require('node:http').createServer((_, response) => {
    parentPort.postMessage('asked');
    Atomics.wait(state, 0, 0);
    response.end('ok', () => {
      Atomics.store(state, 1, 1);
      Atomics.notify(state, 1);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

it('an answer that came in time is read, also by a process that was stopped until its time was over', async () => {
  const egress = createEgress({ allow: ['127.0.0.1'] });
  const memory = new SharedArrayBuffer(8);
  const state = new Int32Array(memory);
  const server = new Worker(SERVER, { eval: true, workerData: memory });
  try {
    const [port] = await once(server, 'message');
    const asked = once(server, 'message');
    const overAt = performance.now() + TIMEOUT_MS;
    const url = `http://127.0.0.1:${port}/`;
    const answer = egress.sendFor('acme')({ method: 'POST', url, body: 'token', timeoutMs: TIMEOUT_MS });
    await asked;
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    Atomics.wait(state, 1, 0);
    while (performance.now() <= overAt) Atomics.wait(state, 1, 1, 1 + overAt - performance.now());
    expect(await answer).toMatchObject({ status: 200 });
  } finally {
    await server.terminate();
    await egress.close();
  }
});
