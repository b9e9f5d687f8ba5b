import { getMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostError, type HostFunction, RawJson } from './index.js';
import { run, valueOf, wait } from './testing/sandbox.js';

const add: HostFunction = async ({ args: [a, b] }) => Number(a) + Number(b);
const named: HostFunction = async ({ name, args }) => ({ name, args });

describe('host functions', () => {
  it('take and return JSON', async () => {
    const functions = { add, 'math.add': add, 'svc.*': named, 'a.b.*': named };
    expect(await valueOf('return [await add(1, 2), await math.add(3, 4)]', { functions })).toEqual([3, 7]);
    expect(
      await valueOf('return [await svc.github.create_issue({ a: 1 }, "b"), await a.b.c.d()]', {
        functions,
      }),
    ).toEqual([
      { name: 'svc.github.create_issue', args: [{ a: 1 }, 'b'] },
      { name: 'a.b.c.d', args: [] },
    ]);
  });

  it('can answer with a JSON text', async () => {
    const raw: HostFunction = async ({ args: [text] }) => new RawJson(String(text));
    expect(await valueOf(`return (await raw('{"a":[1]}')).a`, { functions: { raw } })).toEqual([1]);
    const refused = `return raw('{"__proto__":1}').catch(({ message }) => message)`;
    expect(await valueOf(refused, { functions: { raw } })).toBe('The result of raw has a key __proto__');
  });

  it('run at the same time', async () => {
    const slow: HostFunction = async ({ args }) => (await sleep(100), args[0]);
    const code = 'return Promise.all(Array.from({ length: 30 }, (_, at) => slow(at)))';
    const outcome = await run(code, { functions: { slow } });
    expect(outcome).toMatchObject({ status: 'completed', value: Array.from({ length: 30 }, (_, at) => at), calls: 30 });
    expect(outcome.durationMs).toBeLessThan(1_500);
  });

  it('can all listen for the end of the run, without a warning of a leak', async () => {
    const listening: HostFunction = async ({ signal }) => getMaxListeners(signal) > 10_000;
    expect(await valueOf('return ask()', { functions: { ask: listening } })).toBe(true);
  });

  it('show only errors for the code', async () => {
    const functions: Record<string, HostFunction> = {
      refuse: async () => Promise.reject(new HostError('No such issue', { code: 'NOT_FOUND', details: { id: 3 } })),
      crash: async () => Promise.reject(new Error('password=1234')),
    };
    const code =
      'const caught = (error) => [error instanceof Error, error.message, error.code, error.details]; return [await refuse().catch(caught), await crash().catch(caught)]';
    expect(await valueOf(code, { functions })).toEqual([
      [true, 'No such issue', 'NOT_FOUND', { id: 3 }],
      [true, 'The function failed', null, null],
    ]);
  });

  it('are limited', async () => {
    const limits = { calls: 5, concurrentCalls: 3, argumentBytes: 100, answerBytes: 100, depth: 5 };
    const functions = { named, big: async () => 'x'.repeat(200) };
    const caught = 'const caught = ({ message }) => message; ';
    expect(
      await valueOf(
        `${caught} let last; for (let at = 0; at < 6; at++) last = await named().catch(caught); return last`,
        { functions, limits },
      ),
    ).toMatch(/more than 5 times/);
    expect(
      await valueOf(`${caught} return (await Promise.all([1, 2, 3, 4].map(() => named().catch(caught))))[3]`, {
        functions,
        limits,
      }),
    ).toMatch(/more than 3 concurrent calls/);
    expect(await valueOf(`${caught} return named("x".repeat(200)).catch(caught)`, { functions, limits })).toMatch(
      /arguments of named has more than 100 bytes/,
    );
    expect(await valueOf(`${caught} return named([[[[[[]]]]]]).catch(caught)`, { functions, limits })).toMatch(
      /more than 5 levels/,
    );
    expect(
      await valueOf(`${caught} return (await Promise.all([1, 2].map(() => named("x".repeat(60)).catch(caught))))[1]`, {
        functions,
        limits,
      }),
    ).toMatch(/concurrent calls have more than 100 bytes/);
    expect(await valueOf(`${caught} return big().catch(caught)`, { functions, limits })).toMatch(
      /result of big has more than 100 bytes/,
    );
  });

  it.each(['a.*.b', 'a b', '', '1', 'a..b', 'a;b'])('refuse the name %p', async (name) => {
    await expect(run('return 1', { functions: { [name]: named } })).rejects.toThrow(TypeError);
  });

  it('refuse a name that is a function and a namespace', async () => {
    await expect(run('return 1', { functions: { a: named, 'a.b': named } })).rejects.toThrow(
      'a cannot be a function and a namespace',
    );
  });

  it('do not exist unless they are given', async () => {
    const names = [
      'fetch',
      'svc',
      'require',
      'process',
      'setTimeout',
      'WebAssembly',
      'performance',
      'host',
      'std',
      'os',
      'Worker',
      'navigator',
    ];
    expect(await valueOf(`return input.filter((name) => name in globalThis)`, { input: names })).toEqual([]);
  });

  it('can be fetch, with an answer like a Response', async () => {
    const fetch: HostFunction = async ({ args }) => ({
      status: 201,
      headers: { 'content-type': 'text/x' },
      body: JSON.stringify(args),
    });
    const code = `
      const response = await fetch('https://example.com', { method: 'POST', body: 'x' });
      const { ok, status, headers } = response;
      return [ok, status, headers.get('Content-Type'), headers.get('x'), headers.has('content-type'), await response.text(), await response.json()];`;
    const args = ['https://example.com', { method: 'POST', body: 'x' }];
    expect(await valueOf(code, { functions: { fetch } })).toEqual([
      true,
      201,
      'text/x',
      null,
      true,
      JSON.stringify(args),
      args,
    ]);
    expect(
      await valueOf('return fetch("x").catch(({ message }) => message)', {
        functions: { fetch: async () => Promise.reject(new HostError('No route')) },
      }),
    ).toBe('No route');
  });

  it('get no call after the run ended', async () => {
    let called = 0;
    const functions = { f: async () => void called++, slow: wait(50) };
    await run('slow().then(() => f()); return 1', { functions });
    await sleep(100);
    expect(called).toBe(0);
  });
});

describe('the clock', () => {
  it('stands still while code computes, in UTC', async () => {
    let time = 1_000;
    const code =
      'const first = Date.now(); for (let at = 0; at < 1e5; at++); const second = Date.now(); await f(); return [first, second, Date.now(), new Date(0).getTimezoneOffset()]';
    expect(await valueOf(code, { functions: { f: async () => void (time = 5_000) }, now: () => time })).toEqual([
      1_000, 1_000, 5_000, 0,
    ]);
  });

  it('does not choose the random numbers', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => valueOf('return Math.random()', { now: () => 0 })));
    expect(new Set(all).size).toBe(5);
  });
});
