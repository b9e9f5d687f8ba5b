// Shapes: none; in full: local
import { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { UNREAD } from './support/hostile/loads.js';
import { openUnread } from './support/hostile/sockets.js';

const ASK_MS = 500;

const closed = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve));

it('a client that does not read is disconnected, and a client that reads receives every response', async () => {
  const { baseUrl } = await drawbridge();
  const sockets = Array.from({ length: 20 }, () => openUnread(baseUrl, UNREAD));
  // By this time the kernel's buffers contain the responses to the first requests. The responses to further requests do not fit.
  await sleep(2_000);
  for (const socket of sockets) socket.write(UNREAD);
  // A client that does not read detects a closed connection only when a write fails. The server ignores an empty line.
  const ask = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('\r\n')), ASK_MS);
  await Promise.all(sockets.map(closed));
  clearInterval(ask);

  const { status, body } = await apiOf(baseUrl).get('/api/v1/openapi.json');
  const { length } = JSON.stringify(body);
  expect({ status, isWhole: length > 300_000 }).toEqual({ status: 200, isWhole: true });
  const reader = openUnread(baseUrl, UNREAD.replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'));
  let received = 0;
  reader.on('data', (chunk) => (received += chunk.length));
  await closed(reader);
  expect(received).toBeGreaterThan(8 * length);
});
