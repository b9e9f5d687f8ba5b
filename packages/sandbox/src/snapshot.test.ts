import { loadEngine } from './engine.js';
import { type HostFunction, openSandbox, PAUSE } from './index.js';
import { packSnapshot, unpackSnapshot } from './snapshot.js';
import { opened, run } from './testing/sandbox.js';

describe('a pause', () => {
  const CODE = `
    const all = (function* () { yield* [1, 2, 3]; })();
    const kept = new Map([['sum', all.next().value]]);
    const [a, b] = await Promise.all([ask('a'), ask('b')]);
    console.log('asked');
    kept.set('sum', kept.get('sum') + a + b + all.next().value);
    return [kept.get('sum'), await ask('c'), all.next().value, input];`;

  it('is taken when nothing else is under way, and resumed elsewhere', async () => {
    const asked: unknown[] = [];
    const ask: HostFunction = async ({ id, args: [what] }) => {
      asked.push([id, what]);
      return what === 'b' ? PAUSE : 10;
    };
    const paused = await run(`console.log('start');${CODE}`, { functions: { ask }, input: 'given' });
    if (paused.status !== 'paused') throw new Error(JSON.stringify(paused));
    expect(paused).toMatchObject({
      pending: [{ id: '2', name: 'ask', args: '["b"]' }],
      console: [{ text: 'start' }],
      calls: 2,
    });
    const other = openSandbox({ workers: 1 });
    const again = await other.resume(paused.snapshot, { organization: 'acme', functions: { ask } });
    expect(again).toMatchObject({ status: 'paused', pending: [{ id: '2', name: 'ask' }], console: [] });
    const functions = { ask: async () => 100 };
    for (const { snapshot } of [paused, again as typeof paused]) {
      const resumed = await other.resume(snapshot, { organization: 'acme', functions });
      expect(resumed).toMatchObject({
        status: 'completed',
        value: [113, 100, 3, 'given'],
        console: [{ text: 'asked' }],
        calls: 3,
      });
    }
    await other.close();
    expect(asked).toEqual([
      ['1', 'a'],
      ['2', 'b'],
      ['2', 'b'],
    ]);
  });

  it('keeps what the run used of its limits', async () => {
    const limits = { calls: 2, consoleLines: 2 };
    const code = 'console.log(1); await ask(); console.log(2); await ask(); console.log(3); await ask()';
    const first = await run(code, { functions: { ask: async () => PAUSE }, limits });
    const resumed =
      first.status === 'paused' &&
      (await opened().resume(first.snapshot, { organization: 'acme', functions: { ask: async () => 1 }, limits }));
    expect(resumed).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/more than 2 times/) },
      console: [{ text: '2' }, { level: 'warn' }],
    });
  });

  it('refuses calls of functions that are not given any more', async () => {
    const first = await run('return ask().catch(({ message }) => message)', { functions: { ask: async () => PAUSE } });
    const resumed = first.status === 'paused' && (await opened().resume(first.snapshot, { organization: 'acme' }));
    expect(resumed).toMatchObject({ status: 'completed', value: 'ask is not a function' });
  });
});

describe('a snapshot of another version', () => {
  it('has a clear error', async () => {
    const paused = await run('return ask()', { functions: { ask: async () => PAUSE } });
    if (paused.status !== 'paused') throw new Error(paused.status);
    const resume = (snapshot: Uint8Array) => opened().resume(snapshot, { organization: 'acme' });
    const format = Uint8Array.from(paused.snapshot);
    format[5]!++;
    await expect(resume(format)).rejects.toMatchObject({
      code: 'SNAPSHOT_VERSION',
      message: 'The snapshot has format 2, and this version reads format 1. Start the run again.',
    });
    const { engine, ...rest } = await unpackSnapshot(paused.snapshot, loadEngine().id);
    const other = await packSnapshot({ ...rest, engine: 'another' });
    await expect(resume(other)).rejects.toMatchObject({
      code: 'SNAPSHOT_VERSION',
      message: `The snapshot has the engine another, and this version has ${engine}. Start the run again.`,
    });
  });
});
