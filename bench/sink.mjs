// Receives callbacks over TLS. Each body contains the time at which its event was sent. `GET /` returns the latencies in milliseconds of the events
// that arrived since the last `GET /`, each event once. Requests to /hang never receive a response. Requests to /slow take 20 ms and are only
// counted: `GET /slow` returns their number.
import { createServer } from 'node:https';
import { CERTIFICATE } from '@drawbridge/testkit';

const SLOW_MS = 20;

let arrived = new Map();
const slow = new Set();

const server = createServer(CERTIFICATE, (request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === '/hang') return;
    if (request.url === '/slow' && request.method === 'POST')
      return setTimeout(() => noteSlow(request, response), SLOW_MS);
    if (request.url === '/slow') return response.end(String(slow.size));
    response.end(request.method === 'GET' ? take() : note(Buffer.concat(chunks).toString()));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));

function note(text) {
  const { id, payload } = JSON.parse(text);
  if (!arrived.has(id)) arrived.set(id, Date.now() - payload.body.sentAt);
  return '{}';
}

function noteSlow({ headers }, response) {
  slow.add(headers['x-svc-delivery']);
  response.end('{}');
}

function take() {
  const latencies = JSON.stringify([...arrived.values()]);
  arrived = new Map();
  return latencies;
}
