import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Opens connections, sends `bytes`, and closes them after a while, regardless of the response. */
export async function openIdleSockets(baseUrl: string, count: number, bytes: string | Buffer = ''): Promise<void> {
  const sockets = Array.from({ length: count }, () => open(baseUrl, bytes));
  await sleep(HELD_MS);
  for (const socket of sockets) socket.destroy();
}

/** Opens connections, sends `head`, then one byte at each interval. */
export async function openSlowSockets(baseUrl: string, count: number, head: string): Promise<void> {
  const sockets = Array.from({ length: count }, () => open(baseUrl, head));
  for (let turn = 0; turn < 10; turn++) {
    await sleep(HELD_MS / 10);
    for (const socket of sockets) if (socket.writable) socket.write('x');
  }
  for (const socket of sockets) socket.destroy();
}

/** Opens connections and sends `bytes`, but does not read the responses. */
export async function openUnreadSockets(baseUrl: string, count: number, bytes: string): Promise<void> {
  const sockets = Array.from({ length: count }, () => openUnread(baseUrl, bytes));
  await sleep(HELD_MS);
  for (const socket of sockets) socket.destroy();
}

const HELD_MS = 1_500;

function open(baseUrl: string, bytes: string | Buffer): Socket {
  return openUnread(baseUrl, bytes).resume();
}

export function openUnread(baseUrl: string, bytes: string | Buffer): Socket {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname, () => void (bytes.length > 0 && socket.write(bytes)));
  return socket.on('error', () => undefined);
}
