import type { HostFunction } from './index.js';
import { errorOf, run, valueOf, wait } from './testing/sandbox.js';

describe('results', () => {
  it.each([
    ['return 1 + 1', 2],
    ['return await Promise.resolve([1, { a: null }])', [1, { a: null }]],
    ['return input.x', [1, 'häß \u0000 \ud800']],
    ['return', undefined],
    ['', undefined],
    ['return () => 1', undefined],
    ['return new Map([[1, 2]])', {}],
    ['return new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['return { toJSON: () => 3 }', 3],
    ['return 0 / 0', null],
    ['// a comment at the end\nreturn 1 // here', 1],
    ['return this === undefined || typeof this', 'object'],
  ])('of %s', async (code, value) => {
    expect(await valueOf(code, { input: { x: [1, 'häß \u0000 \ud800'] } })).toEqual(value);
  });

  it('measures the run', async () => {
    const outcome = await run('for (let at = 0; at < 2e5; at++); await f(); return 1', {
      functions: { f: wait(50) },
    });
    expect(outcome).toMatchObject({ status: 'completed', calls: 1, cpuMs: expect.any(Number) });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(45);
  });

  it.each([
    ['too large', 'return "x".repeat(2000)', /more than 1000 bytes/],
    ['too deep', 'let deep = []; for (let at = 0; at < 70; at++) deep = [deep]; return deep', /more than 64 levels/],
    ['with a key __proto__', 'return JSON.parse(\'{"__proto__": 1}\')', /__proto__/],
  ])('refuses a result %s', async (_what, code, message) => {
    const error = await errorOf(code, { limits: { outputBytes: 1_000 } });
    expect(error).toEqual({ code: 'OUTPUT_TOO_LARGE', message: expect.stringMatching(message) });
  });

  it.each(['"{\\"__proto__\\":1}"', '"[{,]__proto__:"', '{"a":"__proto__"}'])(
    'accepts the text __proto__: %s',
    async (json) => {
      expect(await valueOf(`return ${json}`)).toEqual(JSON.parse(json));
    },
  );
});

describe('errors', () => {
  it.each([
    ['let a = ;', { code: 'SYNTAX_ERROR', line: 1, column: 9 }],
    ['\nlet a = 1;\n  foo bar', { code: 'SYNTAX_ERROR', line: 3, column: 7 }],
    ['if (true) {', { code: 'SYNTAX_ERROR', line: 1, column: 12 }],
    [
      'enum A { x }',
      { code: 'SYNTAX_ERROR', message: 'TypeScript enum is not supported in strip-only mode', line: 1, column: 1 },
    ],
    ['null.x', { code: 'RUNTIME_ERROR', name: 'TypeError', message: "cannot read property 'x' of null", line: 1 }],
    [
      '\n\n  throw new RangeError("bad")',
      { code: 'RUNTIME_ERROR', name: 'RangeError', message: 'bad', line: 3, column: 13 },
    ],
    ['const f = () => {\n  g();\n};\nf()', { code: 'RUNTIME_ERROR', name: 'ReferenceError', line: 2, column: 3 }],
    ['const a: number = 1;\nnull.x', { code: 'RUNTIME_ERROR', line: 2 }],
    ['throw 3', { code: 'RUNTIME_ERROR', message: '3' }],
    ['throw { name: "Mine", message: "bad" }', { code: 'RUNTIME_ERROR', name: 'Mine', message: 'bad' }],
    ['return 1n', { code: 'RUNTIME_ERROR', name: 'TypeError' }],
    [
      'await new Promise(() => 1)',
      { code: 'RUNTIME_ERROR', message: 'The code waits for a promise that nothing settles' },
    ],
    ['JSON.parse("{")', { code: 'RUNTIME_ERROR', name: 'SyntaxError' }],
    ['while (true);', { code: 'TIMEOUT', message: 'The code computed for longer than 2000 ms' }],
    ['for (const all = []; ;) all.push("x".repeat(1e6) + all.length)', { code: 'MEMORY_LIMIT' }],
    ['const again = () => again(); again()', { code: 'RUNTIME_ERROR', name: 'RangeError' }],
  ])('of %s', async (code, error) => {
    expect(await errorOf(code, { limits: { cpuMs: 2_000, memoryBytes: 16 * 1024 * 1024 } })).toMatchObject(error);
  });

  it('end a run that waits for too long', async () => {
    const aborted: unknown[] = [];
    const f: HostFunction = ({ signal }) =>
      new Promise((resolve) => (signal.onabort = () => resolve(void aborted.push(1))));
    expect(await errorOf('await f()', { functions: { f }, limits: { wallMs: 100 } })).toEqual({
      code: 'TIMEOUT',
      message: 'The run took longer than 100 ms',
    });
    expect(aborted).toEqual([1]);
  });

  it('are short', async () => {
    const error = await errorOf('const error = new Error("x".repeat(1e6)); error.name = "y".repeat(1e6); throw error');
    expect(error).toMatchObject({ message: 'x'.repeat(1_000), name: 'y'.repeat(100) });
  });
});

describe('TypeScript', () => {
  it.each([
    ['interface A { x: number }\nconst a: A = { x: 1 };\nreturn (a as any).x!', 1],
    ['type Of<T> = T[]; const all: Of<string> = ["a"]; return all.map((one: string): string => one + one)', ['aa']],
    [
      'class Box<T> { constructor(readonly_: T) { this.value = readonly_; } private value: T; get() { return this.value } }\nreturn new Box<number>(2).get() satisfies number',
      2,
    ],
    ['const { x }: { x: number } = input as never; return x', 5],
  ])('loses its types: %s', async (code, value) => {
    expect(await valueOf(code, { input: { x: 5 } })).toEqual(value);
  });

  it('survives code on which the library stops', async () => {
    expect(await errorOf(`const a: number = ${'['.repeat(300_000)}`)).toMatchObject({
      code: expect.stringMatching(/ERROR/),
    });
    expect(await valueOf('const a: number = 1; return a')).toBe(1);
  });
});
