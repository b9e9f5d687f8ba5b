// Measures another tenant's latency in a separate process, because the event loop of the process that creates the load is busy. Calls /healthz and
// the cheapest call with a key of one gateway in a loop until SIGTERM, then prints the latencies in milliseconds as one JSON document, with the longest
// delay of its own pauses.
import http from 'node:http';

const [baseUrl, key] = process.argv.slice(2);
const PAUSE_MS = 10;
const GIVE_UP_MS = 60_000;

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const took = { health: [], call: [] };
let latePauseMs = 0;
const refused = [];
let stopped = false;
process.on('SIGTERM', () => (stopped = true));

process.stdout.write('ready\n');
while (!stopped) {
  took.health.push(await ask('/healthz'));
  took.call.push(await ask('/api/v1/workspaces?limit=1'));
  const pausedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  latePauseMs = Math.max(latePauseMs, performance.now() - pausedAt - PAUSE_MS);
}
process.stdout.write(JSON.stringify({ ...took, refused, latePauseMs }));
process.exit(0);

function ask(path) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (problem) => {
      if (problem) refused.push(`${path}: ${problem}`);
      resolve(performance.now() - startedAt);
    };
    const request = http.get(baseUrl + path, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.resume().on('end', () => end(response.statusCode === 200 ? undefined : response.statusCode));
    });
    request.setTimeout(GIVE_UP_MS, () => request.destroy(new Error('no response')));
    request.on('error', (error) => end(error.code ?? error.message));
  });
}
