import { setTimeout as sleep } from 'node:timers/promises';
import { type HostFunction, openSandbox, type Sandbox } from './index.js';
import { opened, run, valueOf, wait } from './testing/sandbox.js';

describe('the pool', () => {
  it('parks runs that wait, so that others can compute', async () => {
    const { gate, open } = newGate();
    const f: HostFunction = async ({ args }) => (await gate, args[0]);
    const code = 'let sum = 0; for (const one of [1, 2]) sum += await f(input * one); return sum';
    const start = (input: number) => valueOf(code, { input, functions: { f }, organization: `org ${input}` });
    const runs = Array.from({ length: 8 }, (_, at) => start(at));
    expect(await valueOf('return 1', { organization: 'quick' })).toBe(1);
    open();
    expect(await Promise.all(runs)).toEqual(Array.from({ length: 8 }, (_, at) => at * 3));
  });

  it('ends waiting runs of an organization that use too much memory', async () => {
    const small = openSandbox({ workers: 1, parkedBytes: 64 * 1024 * 1024 });
    const { gate, open } = newGate();
    const waiting = new Set<string>();
    const start = (organization: string, megabytes: number) =>
      small.run({
        organization,
        code: `const all = new Uint8Array(${megabytes} * 2 ** 20); await f(); return all.length`,
        functions: { f: async () => (waiting.add(organization), gate) },
      });
    const runs = [start('a', 10), start('a', 10), start('a', 10), start('b', 10), start('c', 0)];
    let ended = 0;
    for (const run of runs) void run.finally(() => ended++);
    await until(() => ended > 0 && waiting.has('b') && waiting.has('c')).finally(open);
    const outcomes = await Promise.all(runs);
    await small.close();
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'failed' ? [outcome.error] : []));
    const message = 'The waiting runs of the organization use too much memory';
    expect(new Set(refused.map((error) => JSON.stringify(error)))).toEqual(
      new Set([JSON.stringify({ code: 'MEMORY_LIMIT', message })]),
    );
    expect(outcomes.slice(3)).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
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

  it('ends a run when its caller leaves, and works on', async () => {
    const leave = new AbortController();
    const running = run('while (true);', { signal: leave.signal });
    await sleep(100);
    leave.abort(new Error('left'));
    await expect(running).rejects.toThrow('left');
    await expect(run('while (true);', { signal: leave.signal })).rejects.toThrow('left');
    expect(await valueOf('return 1')).toBe(1);
    expect(opened().size.runs).toBe(0);
  });

  it('does not start a run if its caller leaves at once', async () => {
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

describe('slow runs', () => {
  const LIMITS = { cpuMs: 1_000, wallMs: 5_000 };
  const bomb = (organization: string, caller: string, signal: AbortSignal) =>
    shared.run({ organization, caller, code: 'while (true);', limits: LIMITS, signal });
  /** Runs a short program, and expects that it ends before the slow runs. */
  const expectQuick = async (slow: Promise<unknown>[], organization: string, caller?: string): Promise<void> => {
    const quick = shared.run({ organization, caller, code: 'return 1' });
    const isSlow = () => 'slow';
    const ends = slow.map((one) => one.then(isSlow, isSlow));
    expect(await Promise.race([quick.then(() => 'quick'), ...ends])).toBe('quick');
  };
  let shared: Sandbox;
  beforeEach(async () => {
    shared = openSandbox({ workers: 4 });
    await expectQuick([], 'warm');
  });
  afterEach(() => shared.close());

  it('leave threads to other organizations and to other callers of their own', async () => {
    const leave = new AbortController();
    const bombs = Array.from({ length: 5 }, () => bomb('slow', 'user 1', leave.signal));
    await sleep(50);
    await expectQuick(bombs, 'slow', 'user 2');
    const others = [bomb('slow', 'user 3', leave.signal), bomb('slow', 'user 4', leave.signal)];
    await sleep(50);
    await expectQuick([...bombs, ...others], 'quick');
    // The test stops the bombs, because each uses a second of processor time until its limit ends it. On a slow machine the limit may already have ended
    // some of them.
    leave.abort(new Error('left'));
    for (const end of await Promise.allSettled([...bombs, ...others]))
      expect(end.status === 'rejected' ? 'left' : end.value.status).toMatch(/^(left|failed)$/);
  });

  it('leave slots to other callers of their organization', async () => {
    const { gate, open } = newGate();
    const functions = { f: async () => gate };
    const slow = Array.from({ length: 8 }, () =>
      shared.run({ organization: 'a', caller: 'slow', code: 'await f()', functions }),
    );
    await until(() => shared.size.runs >= 5);
    await expectQuick(slow, 'a', 'quick');
    expect(shared.size.runs).toBe(5);
    open();
    await Promise.all(slow);
  });
});

/** Returns a promise that host functions wait for, and the function that resolves it. */
function newGate() {
  let open: (value?: undefined) => void = () => undefined;
  const gate = new Promise<undefined>((resolve) => (open = resolve));
  return { gate, open };
}

/** Fails before the time limit of the test, so that no loop continues after the test. */
async function until(isTrue: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 25_000;
  while (!isTrue()) {
    if (Date.now() > giveUpAt) throw new Error(`The condition was not met: ${isTrue}`);
    await sleep(10);
  }
}

it('holds a slot until it is released, whatever was run in it', async () => {
  const small = openSandbox({ workers: 1, atOnce: 1, waiting: 1 });
  const slot = await small.acquire({ organization: 'a' });
  expect(await slot.run({ code: 'return 1' })).toMatchObject({ value: 1 });
  const next = small.run({ organization: 'a', code: 'return 2' });
  await expect(small.acquire({ organization: 'a' })).rejects.toMatchObject({ code: 'TOO_BUSY' });
  slot.release();
  expect(await next).toMatchObject({ value: 2 });
  await small.close();
});
