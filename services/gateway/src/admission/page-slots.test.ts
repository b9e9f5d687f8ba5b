import { EventEmitter } from 'node:events';
import { type Request, type Response } from 'express';
import { ofPage, Slots, slotsOf, takeSlots } from './request-slots.js';

/** The slots of one network for pages, and for the OAuth requests of clients. */
const PAGES = 6;
const OF_PROGRAMS = 3;

/** Resolves when all requests in progress have advanced as far as they can. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function oneNetwork() {
  const slots = new Slots();
  const limit = takeSlots(ofPage({ read: ({ headers }) => headers.cookie }));
  return (method: string, path: string, cookie?: string) => {
    const leaving = new AbortController();
    const context = { address: '192.0.2.1', signal: leaving.signal };
    const response = Object.assign(new EventEmitter(), {
      app: { locals: { slots } },
      locals: { context },
      closed: false,
    });
    const request = { method, baseUrl: path, path: '/', headers: { cookie }, res: response } as unknown as Request;
    const its = { request, isServed: false, end };
    function end(): void {
      response.closed = true;
      response.emit('close');
      leaving.abort();
    }
    const serve = (): void => void (its.isServed = true);
    void limit(request, response as unknown as Response, serve);
    return its;
  };
}

const many = <T>(count: number, ask: () => T): T[] => Array.from({ length: count }, ask);
const served = (all: { isServed: boolean }[]): number => all.filter(({ isServed }) => isServed).length;

it('what programs ask keeps no person of their network waiting, nor the other way round', async () => {
  const ask = oneNetwork();
  const programs = many(2 * OF_PROGRAMS, () => ask('POST', '/oauth/token'));
  await settled();
  expect(served(programs)).toBe(OF_PROGRAMS);
  const people = many(PAGES, () => ask('GET', '/oauth/authorize'));
  const next = ask('GET', '/sign-in');
  await settled();
  expect([served(people), next.isServed]).toEqual([PAGES, false]);
  programs[0]!.end();
  people[0]!.end();
  await settled();
  expect([served(programs), next.isServed]).toEqual([OF_PROGRAMS + 1, true]);
});

it('serves a browser with its cookie before the strangers of its network that came earlier', async () => {
  const ask = oneNetwork();
  const running = many(PAGES, () => ask('POST', '/sign-in'));
  const strangers = many(10, () => ask('POST', '/sign-in'));
  const known = ask('POST', '/sign-in', 'browser');
  await settled();
  for (const one of running.slice(0, 2)) one.end();
  await settled();
  expect([known.isServed, served(strangers)]).toEqual([true, 1]);
});

it.each([
  ['POST', '/connect/019b0000-0000-7000-8000-000000000000', 2 * PAGES],
  ['GET', '/connect/callback', 2 * PAGES],
  ['GET', '/sign-in/with/github/back', 2 * PAGES],
  ['POST', '/connect/portal/019b0000-0000-7000-8000-000000000000/connect', PAGES],
  ['GET', '/connect/019b0000-0000-7000-8000-000000000000', PAGES],
])('only what waits for a provider is done by many at once: %s %s', async (method, path, count) => {
  const ask = oneNetwork();
  const all = many(2 * PAGES, () => ask(method, path));
  await settled();
  expect(served(all)).toBe(count);
});

it('a request that waits for others holds no slot meanwhile, and one that hangs up then none after it', async () => {
  const ask = oneNetwork();
  const all = many(PAGES, () => ask('POST', '/sign-in'));
  await settled();
  let go = (): void => undefined;
  const until = new Promise<void>((resolve) => (go = resolve));
  const waits = all.map(({ request }) => slotsOf(request.res!).outside(() => until));
  const others = many(PAGES, () => ask('GET', '/sign-in'));
  await settled();
  expect(served(others)).toBe(PAGES);
  for (const one of all) one.end();
  go();
  await Promise.allSettled(waits);
  for (const one of others) one.end();
  const after = many(PAGES, () => ask('GET', '/sign-in'));
  await settled();
  expect(served(after)).toBe(PAGES);
});
