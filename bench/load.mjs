// Sends load and measures the latency of each call. An HTTP subject is `{url, headers, body()}` (a GET without `body`); any other subject is
// `{once()}`.
import { Agent, request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';

/** Load patterns. `inFlight` is the number of concurrent calls; `rate` is the number of calls a second, independent of their latency. */
export const MODES = [
  { name: 'one at a time', inFlight: 1, share: 1 },
  // This mode takes three times as long, because a p99 needs some hundred calls.
  { name: '50 a second', rate: 50, share: 3 },
  { name: '32 in flight', inFlight: 32, share: 1 },
];

/** Returns the latency of each call in milliseconds and the total duration in seconds. Throws on any response that is not 2xx. */
export async function apply(subject, { inFlight, rate }, seconds) {
  const start = performance.now();
  const latencies = await run(subject, { inFlight, rate, seconds });
  return { latencies, seconds: (performance.now() - start) / 1000 };
}

function run(subject, { inFlight, rate, seconds }) {
  if (rate) return pace(subject.once ?? caller(subject), rate, seconds);
  return subject.once ? loop(subject.once, inFlight, seconds) : cannonade(subject, inFlight, seconds);
}

/** Uses autocannon at full load, because it uses the least CPU time. It creates a new body for each call only if `isFresh` is set. */
function cannonade({ url, headers, body, isFresh }, connections, duration) {
  const request = { method: methodOf({ body }), headers, body: body?.() };
  if (isFresh) request.setupRequest = (last) => ({ ...last, body: body() });
  return new Promise((resolve, reject) => {
    const latencies = [];
    const instance = autocannon(
      { url, connections, duration, sampleInt: 100, requests: [request] },
      (error, { non2xx, errors }) => {
        if (error ?? non2xx + errors > 0)
          reject(error ?? new Error(`${url}: ${non2xx} answers not 2xx, ${errors} errors`));
        else resolve(latencies);
      },
    );
    instance.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  });
}

async function loop(once, inFlight, seconds) {
  const latencies = [];
  const end = performance.now() + seconds * 1000;
  const worker = async () => {
    while (performance.now() < end) latencies.push(await timed(once));
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return latencies;
}

/** Sends calls at even intervals. autocannon would send the calls of one second together at its beginning. */
async function pace(once, rate, seconds) {
  const calls = [];
  const start = performance.now();
  for (let sent = 0; sent < rate * seconds; sent++) {
    await sleep(Math.max(0, start + (sent * 1000) / rate - performance.now()));
    calls.push(timed(once));
  }
  return Promise.all(calls);
}

async function timed(once) {
  const start = performance.now();
  await once();
  return performance.now() - start;
}

/** Returns a function that makes one call over pooled connections. */
function caller({ url, headers, body }) {
  const agent = new Agent({ keepAlive: true });
  return () =>
    new Promise((resolve, reject) => {
      const outgoing = send(url, { method: methodOf({ body }), headers, agent }, (answer) => {
        const isFine = answer.statusCode >= 200 && answer.statusCode < 300;
        answer.resume();
        answer.on('end', isFine ? resolve : () => reject(new Error(`${url} answered ${answer.statusCode}`)));
      });
      outgoing.on('error', reject);
      outgoing.end(body?.());
    });
}

const methodOf = ({ body }) => (body ? 'POST' : 'GET');
