import { member, type Send, type SendRequest } from './answer.js';
import { type HttpSetup, openHttp } from './http.js';
import { type RateLimit, waitOf } from './provider-rate-limit.js';
import { delayed } from './retry-policy.js';

const ORIGIN = 'https://api.example.com';
const MOMENT = 'Thu, 01 Jan 2026 00:00:00 GMT';

type Reply = [status: number, headers?: Record<string, string>, body?: object];

/** Returns a fake provider that sends these responses in order, and then `{}`. `waits` contains the delays of the retries in milliseconds. */
function busy(answers: Reply[], setup: Partial<HttpSetup> = {}) {
  const sent: SendRequest[] = [];
  const send: Send = async (request) => {
    const [status, headers = {}, body = {}] = answers[sent.length] ?? [200];
    sent.push(request);
    const typed = { 'content-type': 'application/json', ...headers };
    return { status, headers: typed, body: Buffer.from(JSON.stringify(body)), url: request.url };
  };
  const http = openHttp({ origin: ORIGIN, send, sendsDelayed: true, ...setup });
  const ask = (method = 'GET') => http.json({ method, path: '/x', ...(method !== 'GET' && { json: { a: 1 } }) });
  return { http, ask, sent, waits: () => sent.map(({ delayMs }) => delayMs) };
}

const after = (seconds: number | string): Record<string, string> => ({ 'retry-after': String(seconds) });

it.each<[string, [number, Record<string, string>?][], (number | undefined)[]]>([
  ['a rate limit', [[429, after(2)]], [undefined, 2_000]],
  ['an outage', [[503, after(30)]], [undefined, 30_000]],
  [
    'two in a row',
    [
      [503, after(1)],
      [429, after(0)],
    ],
    [undefined, 1_000, 0],
  ],
  ['one with a date', [[429, { ...after('Thu, 01 Jan 2026 00:00:07 GMT'), date: MOMENT }]], [undefined, 7_000]],
  [
    'one with a date that is over',
    [[429, { ...after('Wed, 31 Dec 2025 00:00:00 GMT'), date: MOMENT }]],
    [undefined, 0],
  ],
  ['a limit that has another status', [[403, after(1)]], [undefined, 1_000]],
  ['a limit with a decimal', [[429, after('2.0')]], [undefined, 2_000]],
  ['a limit of less than a second', [[429, after('0.25')]], [undefined, 250]],
])('waits for %s as long as it says', async (_, answers, waits) => {
  const { ask, waits: seen } = busy(answers);
  expect(await ask()).toEqual({});
  expect(seen()).toEqual(waits);
});

it.each<[string, [number, Record<string, string>?][], number, number | undefined]>([
  ['says no time', [[429]], 1, undefined],
  ['says nonsense', [[429, after('soon')]], 1, undefined],
  ['says less than none', [[429, after('-1')]], 1, undefined],
  ['asks for more than half a minute', [[429, after(31)]], 1, 31],
  [
    'asks for more than that in all',
    [
      [429, after(20)],
      [503, after(11)],
    ],
    2,
    11,
  ],
  [
    'is still busy the third time',
    [
      [429, after(0)],
      [429, after(0)],
      [429, after(5)],
    ],
    3,
    5,
  ],
  ['fails otherwise', [[500, after(1)]], 1, 1],
])('gives up where a third party %s', async (_, answers, times, retryAfter) => {
  const { ask, sent } = busy(answers);
  await expect(ask()).rejects.toMatchObject({ name: 'ProviderError', status: answers.at(-1)?.[0], retryAfter });
  expect(sent).toHaveLength(times);
});

it.each([
  ['POST', false, 1],
  ['PUT', false, 1],
  ['DELETE', false, 1],
  ['POST', true, 2],
  ['GET', false, 2],
  ['HEAD', false, 2],
])('sends a %s twice only where that may be (idempotent: %s)', async (method, isIdempotent, times) => {
  const { ask, sent } = busy([[429, after(0)]], { isIdempotent });
  await ask(method).catch(() => undefined);
  expect(sent).toHaveLength(times);
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
});

it('retries a request with an idempotency key', async () => {
  const { ask, sent } = busy([[429, after(0)]], { idempotencyHeader: 'once', runId: 'run' });
  await ask('POST');
  expect(sent.map(({ headers }) => headers?.['once'])).toEqual(['run-1', 'run-1']);
});

it('does not wait beyond the time of the run', async () => {
  const { ask, sent } = busy([[429, after(5)]], { limitMs: 5_000 });
  await expect(ask()).rejects.toMatchObject({ status: 429, retryAfter: 5 });
  expect(sent).toHaveLength(1);
});

it('hands back the answer of one that was only sent', async () => {
  const { http, sent } = busy([[429, after(0)]]);
  expect(await http.send({ method: 'GET', path: '/x' })).toMatchObject({ status: 429 });
  expect(sent).toHaveLength(1);
});

describe('delayed', () => {
  const answer = { status: 200, headers: {}, body: new Uint8Array(), url: ORIGIN };

  it('sends when the time has come', async () => {
    const sent: SendRequest[] = [];
    const send = delayed(async (request) => (sent.push(request), answer));
    expect(await send({ method: 'GET', url: ORIGIN, delayMs: 1 })).toBe(answer);
    expect(sent).toEqual([{ method: 'GET', url: ORIGIN }]);
  });

  it('sends nothing, and waits no longer, once the run has ended', async () => {
    const sent: SendRequest[] = [];
    const send = delayed(async (request) => (sent.push(request), answer));
    const run = new AbortController();
    const waiting = send({ method: 'GET', url: ORIGIN, delayMs: 2 ** 31 - 1, signal: run.signal });
    run.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect(send({ method: 'GET', url: ORIGIN, delayMs: 1, signal: run.signal })).rejects.toThrow();
    expect(sent).toEqual([]);
  });

  it('is the only layer that waits', async () => {
    const run = new AbortController();
    const { ask, sent } = busy([[429, after(30)]], { sendsDelayed: false, signal: run.signal });
    const asked = ask();
    await Promise.resolve();
    run.abort();
    await expect(asked).rejects.toThrow();
    expect(sent).toHaveLength(1);
  });
});

describe('the limits of a provider, as data', () => {
  const rateLimit: RateLimit = {
    when: [{ code: 'THROTTLED' }, { status: 420 }],
    wait: [
      { header: 'x-reset', as: 'time' },
      { header: 'x-reset-in', as: 'duration' },
      { body: 'extensions.wait', as: 'milliseconds' },
      { body: 'retry_after' },
    ],
  };
  const date = MOMENT;
  const at = Date.parse(MOMENT) / 1_000;

  it.each<[string, Reply, number]>([
    ['Retry-After before any other', [429, { ...after(1), 'x-reset': String(at + 9), date }], 1_000],
    ['a time', [429, { 'x-reset': String(at + 9), date }], 9_000],
    ['a time in milliseconds', [429, { 'x-reset': String(at * 1_000 + 1_250), date }], 1_250],
    [
      'a time in seconds of the year 3000',
      [429, { 'x-reset': '32503680001', date: 'Wed, 01 Jan 3000 00:00:00 GMT' }],
      1_000,
    ],
    [
      'a time in milliseconds of the year 1980',
      [429, { 'x-reset': '315532801000', date: 'Tue, 01 Jan 1980 00:00:00 GMT' }],
      1_000,
    ],
    ['a time that is over', [429, { 'x-reset': String(at - 9), date }], 0],
    ['a duration', [429, { 'x-reset-in': '0m7s' }], 7_000],
    ['a duration of milliseconds', [429, { 'x-reset-in': '1s20ms' }], 1_020],
    ['a duration with decimals, rounded up', [429, { 'x-reset-in': '1.0201s' }], 1_021],
    ['milliseconds in the body', [429, {}, { extensions: { wait: 1_500 } }], 1_500],
    ['a decimal in the body', [429, {}, { retry_after: 0.654 }], 654],
    ['the next value if one is malformed', [429, { 'x-reset': 'soon', 'x-reset-in': '' }, { retry_after: '3' }], 3_000],
    ['a status of its own', [420, {}, { retry_after: 1 }], 1_000],
    ['a code of its own', [400, {}, { error: { message: 'Slow down', code: 'THROTTLED' }, retry_after: 1 }], 1_000],
  ])('wait for %s', async (_, reply, ms) => {
    const { ask, waits } = busy([reply], { rateLimit });
    expect(await ask()).toEqual({});
    expect(waits()).toEqual([undefined, ms]);
  });

  it('state waits that are too long for a retry', async () => {
    const { ask, sent } = busy([[429, { 'x-reset-in': '1h2m3.5s' }]], { rateLimit });
    await expect(ask()).rejects.toMatchObject({ retryable: true, retryAfter: 3_723.5 });
    expect(sent).toHaveLength(1);
  });

  it('wait for the default if the response says nothing', async () => {
    const { ask, waits } = busy([[429]], { rateLimit: { seconds: 30 } });
    expect(await ask()).toEqual({});
    expect(waits()).toEqual([undefined, 30_000]);
  });

  it('are read in a successful response that states the failure', async () => {
    const throttled: Reply = [200, {}, { errors: [{ message: 'Throttled', code: 'THROTTLED' }], retry_after: 2 }];
    const failedWhen: HttpSetup['failedWhen'] = (body) => (member(body, 'errors') ? { code: 'THROTTLED' } : undefined);
    const { ask, waits } = busy([throttled], { rateLimit, failedWhen });
    expect(await ask()).toEqual({});
    expect(waits()).toEqual([undefined, 2_000]);
    await expect(busy([throttled], { rateLimit, failedWhen }).ask('POST')).rejects.toMatchObject({
      ...{ code: 'THROTTLED', message: 'Throttled', retryable: true, retryAfter: 2 },
    });
  });

  it.each([
    ['a list', '["3"]'],
    ['an object without a text', '{"toString": 1, "valueOf": 1}'],
    ['deeply nested lists', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['a negative number', '-1'],
    ['true', 'true'],
  ])('ignore %s instead of a time', (_, value) => {
    const answer = { status: 429, headers: { 'content-type': 'application/json' }, url: ORIGIN };
    expect(waitOf({ ...answer, body: Buffer.from(`{"retry_after":${value}}`) }, undefined, rateLimit)).toBeUndefined();
  });

  it('do not apply to an outage: the header of a limit comes with each response', async () => {
    const { ask, sent } = busy([[503, { 'x-reset': String(at + 9), date }]], { rateLimit });
    await expect(ask()).rejects.toMatchObject({ retryable: true, retryAfter: undefined });
    expect(sent).toHaveLength(1);
    const { ask: again, waits } = busy([[503, { 'x-reset': String(at + 9), date }]], {
      rateLimit: { ...rateLimit, seconds: 1 },
    });
    expect(await again()).toEqual({});
    expect(waits()).toEqual([undefined, 1_000]);
  });

  it('apply to an outage that the provider declares as a limit', async () => {
    const { ask, waits } = busy([[503, {}, { retry_after: 2 }]], {
      rateLimit: { ...rateLimit, when: [{ status: 503 }] },
    });
    expect(await ask()).toEqual({});
    expect(waits()).toEqual([undefined, 2_000]);
  });

  it('do not apply to other failures', async () => {
    const { ask, sent } = busy([[400, {}, { retry_after: 1 }]], { rateLimit });
    await expect(ask()).rejects.toMatchObject({ retryable: false, retryAfter: undefined });
    expect(sent).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ['a status', [403, { 'x-ratelimit-remaining': '0', 'x-reset-in': '1s' }]],
    ['a code', [429, { 'x-reset-in': '1s' }, { error: { message: 'Add credit', code: 'NO_CREDIT' } }]],
  ])('leave out exceptions with %s', async (_, reply) => {
    const { ask, sent } = busy([reply], {
      rateLimit: { ...rateLimit, except: [{ status: 403 }, { code: 'NO_CREDIT' }] },
    });
    await expect(ask()).rejects.toMatchObject({ status: reply[0], retryable: false, retryAfter: undefined });
    expect(sent).toHaveLength(1);
  });

  it('are read in linear time', () => {
    const costs = [10_000, 80_000].map((size) => {
      const reply = { status: 429, headers: { 'retry-after': '1'.repeat(size), 'x-reset-in': '1m'.repeat(size) } };
      const started = process.cpuUsage().user;
      for (let times = 0; times < 20; times++)
        expect(waitOf({ ...reply, body: Buffer.alloc(0), url: ORIGIN }, undefined, rateLimit)).toBeUndefined();
      return process.cpuUsage().user - started;
    });
    expect(costs[1]! / Math.max(2_000, costs[0]!)).toBeLessThan(24);
  });
});
