import { once } from 'node:events';
import { createServer, type IncomingMessage, request as ask, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Request, type Response } from 'express';
import { jsonBody } from './json-body.js';
import { LargeBodies } from './large-bodies.js';
import { LARGE_BYTES } from './read-body.js';

const LARGE = JSON.stringify({ text: 'x'.repeat(LARGE_BYTES) });
const AT_ONCE = 8;
const never = new AbortController().signal;

let large: LargeBodies;
let server: Server;
let handed: number;

beforeEach(async () => {
  handed = 0;
  large = new LargeBodies();
  const body = jsonBody(large);
  server = createServer((request, response) => {
    const context = { caller: { orgId: 'a' }, signal: never };
    const locals = { context, operation: { maxBodyBytes: 1_000_000 } };
    const asked = Object.assign(request, {
      originalUrl: '/',
      get: (name: string) => request.headers[name],
    }) as unknown as Request;
    const answer = Object.assign(response, { locals }) as unknown as Response;
    const read = async (): Promise<unknown> => body(asked, answer, () => void handed++);
    read().catch(() => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => new Promise((resolve) => void server.close(resolve).closeAllConnections()));

const hold = (): Promise<(() => void)[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, () => large.reserve('a', AbortSignal.timeout(1_000))));

/** Sends a large body, and hangs up when `until` says so. Resolves when the server knows. */
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

const called = (name: 'reserve' | 'waitForTurn'): (() => Promise<unknown>) => {
  const real = (large[name] as (...given: unknown[]) => Promise<unknown>).bind(large);
  let seen: () => void;
  const wasCalled = new Promise<void>((resolve) => (seen = resolve));
  large[name] = ((...given: unknown[]) => (seen(), real(...given))) as never;
  return () => wasCalled;
};

it('gives back the place of a large body whose response is over when it comes', async () => {
  const held = await hold();
  await sendAndLeave(called('reserve'));
  held.forEach((end) => end());
  for (const end of await hold()) end();
  expect(handed).toBe(0);
});

it('hands on no body of a caller who left before its turn', async () => {
  let go = (): void => undefined;
  const turn = called('waitForTurn');
  large.waitForTurn = ((real) => async (tenant: string) => {
    const waits = real.call(large, tenant);
    await new Promise<void>((resolve) => (go = resolve));
    return waits;
  })(large.waitForTurn);
  await sendAndLeave(turn);
  go();
  await new Promise((resolve) => setTimeout(resolve));
  expect(handed).toBe(0);
});
