import { setTimeout as sleep } from 'node:timers/promises';
import { type HostFunction, openSandbox } from './index.js';
import { opened, run, valueOf, wait } from './testing/sandbox.js';

describe('the pool', () => {
  it('parks runs that wait, so that others can compute', async () => {
    const f: HostFunction = async ({ args }) => (await sleep(300), args[0]);
    const runs = Array.from({ length: 8 }, (_, at) =>
      valueOf('let sum = 0; for (const one of [1, 2]) sum += await f(input * one); return sum', {
        input: at,
        functions: { f },
        organization: `org ${at}`,
      }),
    );
    const quick = performance.now();
    expect(await valueOf('return 1', { organization: 'quick' })).toBe(1);
    expect(performance.now() - quick).toBeLessThan(1_000);
    expect(await Promise.all(runs)).toEqual(Array.from({ length: 8 }, (_, at) => at * 3));
  });

  it('refuses more runs of an organization than may wait', async () => {
    const small = openSandbox({ workers: 1, atOnce: 1, waiting: 1 });
    const functions = { f: wait(100) };
    const all = await Promise.allSettled(
      [1, 2, 3].map(() => small.run({ organization: 'a', code: 'await f()', functions })),
    );
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(all[2]).toMatchObject({ reason: { code: 'TOO_BUSY' } });
    await small.close();
  });

  it('ends a run whose caller leaves, and works on', async () => {
    const leave = new AbortController();
    const running = run('while (true);', { signal: leave.signal });
    await sleep(100);
    leave.abort(new Error('left'));
    await expect(running).rejects.toThrow('left');
    await expect(run('while (true);', { signal: leave.signal })).rejects.toThrow('left');
    expect(await valueOf('return 1')).toBe(1);
    expect(opened().size.runs).toBe(0);
  });

  it('does not start a run whose caller leaves at once', async () => {
    const leave = new AbortController();
    const running = run('while (true);', { signal: leave.signal });
    leave.abort(new Error('left'));
    await expect(running).rejects.toThrow('left');
  });

  it('ends its runs and threads when it is closed', async () => {
    const other = openSandbox({ workers: 1 });
    const running = other.run({ organization: 'a', code: 'while (true);' });
    await sleep(100);
    await Promise.all([other.close(), expect(running).rejects.toThrow('closed')]);
    expect(other.size).toEqual({ threads: 0, runs: 0 });
  });

  it.each([
    [{ code: 'x'.repeat(2_000), limits: { codeBytes: 1_000 } }, /code has 2000 bytes/],
    [{ code: '', input: 'x'.repeat(2_000), limits: { inputBytes: 1_000 } }, /input has more than 1000 bytes/],
    [{ code: '', limits: { cpuMs: 0 } }, /cpuMs must be a positive integer/],
    [{ code: '', limits: { memoryBytes: 1e9 } }, /memoryBytes must be at most/],
  ])('refuses a request beyond the limits (%#)', async (request, message) => {
    await expect(opened().run({ organization: 'acme', ...request })).rejects.toThrow(message);
  });
});
