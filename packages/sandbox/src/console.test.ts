import { run } from './testing/sandbox.js';

describe('the console', () => {
  it('is captured with levels', async () => {
    const lines: unknown[] = [];
    const code =
      'console.log("a", 1, { b: [1] }, null, undefined); console.error(new Error("bad")); console.warn(() => 1, 2n); console.debug(Symbol("s")); console.info()';
    const outcome = await run(code, { onConsole: (line) => lines.push(line) });
    expect(outcome.console).toEqual([
      { level: 'log', text: 'a 1 {"b":[1]} null undefined' },
      { level: 'error', text: expect.stringMatching(/^Error: bad\n.*code\.js:1:/s) },
      { level: 'warn', text: '[Function] 2' },
      { level: 'debug', text: 'Symbol(s)' },
      { level: 'info', text: '' },
    ]);
    expect(lines).toEqual(outcome.console);
  });

  it('is bounded', async () => {
    const outcome = await run(
      'const text = "x".repeat(1e5); for (let at = 0; at < 1e3; at++) console.log(text); return 1',
    );
    expect(outcome).toMatchObject({ status: 'completed', value: 1 });
    expect(JSON.stringify(outcome.console).length).toBeLessThan(70_000);
    expect(outcome.console.at(-1)).toEqual({ level: 'warn', text: 'The console is full. Further output is dropped.' });
    const many = await run('for (let at = 0; at < 1e4; at++) console.log(at); return 1');
    expect(many.console).toHaveLength(1_001);
  });

  it('prints what cannot be printed', async () => {
    const code =
      'const loop = {}; loop.loop = loop; console.log(loop, { get x() { throw 1 } }, { toJSON() {} }, new Proxy({}, { get() { throw 1 } }))';
    expect((await run(code)).console[0]?.text).toBe('[not printable] [not printable] [object Object] [not printable]');
  });
});
