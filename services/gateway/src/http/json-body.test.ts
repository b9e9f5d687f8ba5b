import { once } from 'node:events';
import { createServer, type IncomingMessage, request as ask, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Request, type Response } from 'express';
import { type Kind } from '../admission/limits.js';
import { Slots } from '../admission/slots.js';
import {
  jsonBody,
  MAX_KEY_BYTES,
  MAX_MEMBERS,
  MAX_VALUES,
  requireParsable,
  storageProblems,
  takeEventLoop,
} from './json-body.js';
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

/** Sends a large body and hangs up when `until` resolves. Resolves when the server has seen the close. */
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

it('gives back the slot of a large body whose response is over when it comes', async () => {
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

const check = (text: string): void => requireParsable(Buffer.from(text));
const list = (values: number): string => `[${Array(values).fill(1).join(',')}]`;
const key = (bytes: number): string => `{"${'k'.repeat(bytes)}":1}`;

const object = (members: number): string => `{${Array(members).fill('"k":1').join(',')}}`;

describe('a JSON text', () => {
  it.each([
    ['as many values as are allowed', list(MAX_VALUES)],
    ['as many keys as are allowed', object(MAX_MEMBERS)],
    ['commas and brackets inside a text', JSON.stringify(',[{":'.repeat(MAX_VALUES))],
    ['escaped quotes', JSON.stringify('",'.repeat(MAX_VALUES))],
    ['a key as long as is allowed', key(MAX_KEY_BYTES)],
    ['a text longer than a key may be', `["${'x'.repeat(MAX_KEY_BYTES + 1)}"]`],
    ['what is no JSON', '"\\'],
    ['nothing', ''],
  ])('passes with %s', (_what, text) => {
    expect(() => check(text)).not.toThrow();
  });

  it.each([
    ['one value more', list(MAX_VALUES + 1)],
    ['one key more', object(MAX_MEMBERS + 1)],
    ['lists in lists', '['.repeat(MAX_VALUES + 1)],
    ['lists in a list', `[${'[],'.repeat(MAX_VALUES / 2)}[]]`],
    ['members of objects', `[${'{"a":1},'.repeat(MAX_VALUES / 2)}1]`],
    ['a key that is longer', key(MAX_KEY_BYTES + 1)],
    ['a longer key before its colon after a pause', key(MAX_KEY_BYTES + 1).replace(':', ' \n:')],
  ])('is refused with %s', (_what, text) => {
    expect(() => check(text)).toThrow(/^body: must not/);
  });
});

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

describe('what can not be kept', () => {
  it.each<[unknown, string[]]>([
    [{ a: 'x\0' }, ['a']],
    [{ a: [{ b: '\0' }, '\0'] }, ['a[0].b', 'a[1]']],
    [{ ['a\0']: 1 }, ['a']],
    [JSON.parse('{"a": {"__proto__": 1}}'), ['a.__proto__']],
    [JSON.parse('{"a": [1e400, -1e400]}'), ['a[0]', 'a[1]']],
    [JSON.parse('{"a": "\\ud800", "b\\udfff": 1}'), ['a', 'b\ufffd']],
    [nested(40), [Array(32).fill('a').join('.')]],
  ])('is named by its path: %j', (body, paths) => {
    expect(Object.keys(storageProblems(body))).toEqual(paths);
  });

  it('is named at a path of bearable length, and past a hundred problems not looked for', () => {
    let body: object = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [String(index), '\0']));
    for (let level = 0; level < 5; level++) body = { ['x'.repeat(4_000)]: body };
    let looks = 0;
    const get = (list: string[], key: PropertyKey): unknown => (looks++, Reflect.get(list, key));
    const counted = new Proxy(Array<string>(MAX_VALUES).fill('\0'), { get });
    expect(Object.keys(storageProblems(body))).toEqual(['x'.repeat(200)]);
    storageProblems({ ['x'.repeat(300)]: counted });
    expect(looks).toBeLessThan(200);
  });

  it.each([
    [nested(32)],
    [1.7976931348623157e308],
    ['\u{1F600}'],
    [{ a: '\\u0000', constructor: 1 }],
    [[]],
    [null],
    [undefined],
    ['text'],
  ])('is not %j', (body) => {
    expect(storageProblems(body)).toEqual({});
  });
});
