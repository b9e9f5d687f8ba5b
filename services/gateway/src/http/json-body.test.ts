import { once } from 'node:events';
import { createServer, type IncomingMessage, request as ask, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Request, type Response } from 'express';
import { type Kind } from '../admission/concurrency-limits.js';
import { Slots } from '../admission/request-slots.js';
import { jsonBody, takeEventLoop } from './json-body.js';
import { LARGE_BYTES } from './read-body.js';

const LARGE = JSON.stringify({ text: 'x'.repeat(LARGE_BYTES) });
const AT_ONCE = 8;
const never = new AbortController().signal;

let slots: Slots;
let server: Server;
let handed: number;

beforeEach(async () => {
  handed = 0;
  slots = new Slots();
  const body = jsonBody(slots);
  server = createServer((request, response) => {
    const context = { caller: { orgId: 'a' }, signal: never };
    const locals = { context, operation: { maxBodyBytes: 1_000_000 } };
    const asked = Object.assign(request, {
      originalUrl: '/',
      get: (name: string) => request.headers[name],
    }) as unknown as Request;
    const answer = Object.assign(response, { locals, app: { locals: { slots } } }) as unknown as Response;
    const read = async (): Promise<unknown> => body(asked, answer, () => void handed++);
    read().catch(() => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => new Promise((resolve) => void server.close(resolve).closeAllConnections()));

const hold = (): Promise<(() => void)[]> =>
  Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      slots.take('body past 64 kB', { organization: 'a' }, () => AbortSignal.timeout(1_000)),
    ),
  );

/** Sends a large body and disconnects when `until` resolves. Resolves when the server has received the close. */
async function sendAndLeave(until: () => Promise<unknown>): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json', 'content-length': LARGE.length };
  const sent = ask({ port, host: '127.0.0.1', method: 'POST', headers }).on('error', () => undefined);
  sent.end(LARGE);
  const [, response] = (await once(server, 'request')) as [IncomingMessage, Response];
  await until();
  const closed = once(response, 'close');
  sent.destroy();
  await closed;
}

/** Returns a function that resolves when a slot of this kind is requested. */
function taken(wanted: Kind, until?: Promise<void>): () => Promise<unknown> {
  const real = slots.take.bind(slots);
  let seen: () => void;
  const wasTaken = new Promise<void>((resolve) => (seen = resolve));
  slots.take = async (kind, ...given) => {
    if (kind !== wanted) return real(kind, ...given);
    seen();
    const release = real(kind, ...given);
    await until;
    return release;
  };
  return () => wasTaken;
}

it('gives back the slot of a large body after its response has ended', async () => {
  const held = await hold();
  await sendAndLeave(taken('body past 64 kB'));
  held.forEach((end) => end());
  for (const end of await hold()) end();
  expect(handed).toBe(0);
});

it('hands on no body of a caller who left before its turn', async () => {
  let go = (): void => undefined;
  const until = new Promise<void>((resolve) => (go = resolve));
  await sendAndLeave(taken('parsing of a body past 64 kB', until));
  go();
  await new Promise((resolve) => setTimeout(resolve));
  expect(handed).toBe(0);
});

it('lets one large body at a time be parsed, organizations in turn, and others in between', async () => {
  const seen: string[] = [];
  const work = async (tenant: string, name: string): Promise<void> => {
    await takeEventLoop(slots, tenant);
    seen.push(name);
  };
  const beside = nextTurn().then(() => seen.push('beside'));
  await Promise.all([work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1'), beside]);
  expect(seen).toEqual(['a1', 'beside', 'a2', 'b1', 'a3']);
});
