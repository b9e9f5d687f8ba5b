import {
  CodeFailedError,
  inputSchema,
  runAction,
  type CodeRunner,
  type JsonObject,
  type Send,
} from '@drawbridge/piece-kit';
import { openSandbox, type Sandbox } from '@drawbridge/sandbox';
import { code } from './index.js';

const send: Send = async () => {
  throw new Error('This piece sends nothing');
};

let opened: Sandbox;
let sandbox: CodeRunner;
beforeAll(() => {
  opened = openSandbox({ workers: 1 });
  sandbox = {
    async run(request) {
      const outcome = await opened.run({
        organization: 'acme',
        limits: { cpuMs: 3_000, memoryBytes: 32 * 1024 * 1024 },
        ...request,
      });
      if (outcome.status === 'paused') throw new Error('The piece has no function that pauses');
      if (outcome.status === 'failed') throw new CodeFailedError(outcome.error, outcome.console);
      return { value: (outcome.value ?? null) as JsonObject, console: outcome.console, durationMs: outcome.durationMs };
    },
  };
});
afterAll(() => opened.close());

const run = (input: JsonObject, signal?: AbortSignal) => runAction(code, 'run', { input, send, sandbox, signal });

it('returns the value, the console lines and the duration', async () => {
  const output = await run({ code: 'console.log("seen", input); return input.a + 1', input: { a: 1 } });
  expect(output).toEqual({ value: 2, console: [{ level: 'log', text: 'seen {"a":1}' }], duration: expect.any(Number) });
});

it.each<[string, JsonObject['value']]>([
  ['return input', null],
  ['const a: number[] = [1]; return a', [1]],
  ['await 1', null],
  ['return typeof fetch', 'undefined'],
])('runs %s', async (text, value) => {
  expect(await run({ code: text })).toMatchObject({ value, console: [] });
});

it.each([
  ['return 1 +', 'SYNTAX_ERROR', { line: 1, column: 11 }, /\(line 1, column 11\)/],
  ['\n null.x', 'RUNTIME_ERROR', { line: 2, column: 2 }, /cannot read property 'x' of null \(line 2/],
  ['while (true);', 'TIMEOUT', {}, /longer than 3000 ms/],
  ['for (const all = []; ;) all.push("x".repeat(1e6) + all.length)', 'MEMORY_LIMIT', { line: 1 }, /out of memory/],
  ['return "x".repeat(9e6)', 'OUTPUT_TOO_LARGE', {}, /more than 8388608 bytes/],
])('fails with the code and position of %j', async (text, providerCode, position, message) => {
  const error = await run({ code: `${text}` }).catch((failed: unknown) => failed);
  expect(error).toBeInstanceOf(CodeFailedError);
  expect(error).toMatchObject({
    code: providerCode,
    ...position,
    message: expect.stringMatching(message),
    retryable: false,
  });
});

it('keeps the console of code that fails', async () => {
  await expect(run({ code: 'console.warn("before"); throw 1' })).rejects.toMatchObject({
    message: '1',
    console: [{ level: 'warn', text: 'before' }],
  });
});

it('ends with its caller', async () => {
  const leave = new AbortController();
  const running = run({ code: 'while (true);' }, leave.signal);
  leave.abort(new Error('left'));
  await expect(running).rejects.toThrow('left');
});

it('fails where the server runs no code', async () => {
  const failed = runAction(code, 'run', { input: { code: 'return 1' }, send });
  await expect(failed).rejects.toMatchObject({ name: 'ProviderError', code: 'UNAVAILABLE' });
});

it('is as severe as an action can be', () => {
  expect(code.actions['run']).toMatchObject({
    category: 'code',
    effect: 'destructive',
    idempotent: false,
    usesSandbox: true,
  });
  expect(inputSchema(code.actions['run']!.props)).toMatchObject({ required: ['code'], additionalProperties: false });
});
