import { inputSchema, type JsonObject, type ProgramResult, runAction, type Send } from '@drawbridge/piece-kit';
import { advancedCode } from './index.js';

const send: Send = async () => {
  throw new Error('This piece sends nothing');
};

const RESULT: ProgramResult = {
  stdout: '2\n',
  stderr: '',
  truncated: false,
  exitCode: 0,
  files: [{ filename: 'a.txt', mimeType: 'text/plain', base64: 'MQ==' }],
  omittedFiles: 0,
  durationMs: 12,
};

it('passes the program on and returns its result with the duration', async () => {
  const given: unknown[] = [];
  const sandbox = {
    runProgram: async (program: unknown) => {
      given.push(program);
      return RESULT;
    },
  };
  const input: JsonObject = { language: 'python', code: 'print(2)' };
  const output = await runAction(advancedCode, 'run', { input, send, sandbox });
  const { durationMs, ...result } = RESULT;
  expect(output).toEqual({ ...result, duration: durationMs });
  expect(given).toEqual([{ ...input, input: null, signal: undefined }]);
});

it('fails where the server runs no programs', async () => {
  const input: JsonObject = { language: 'shell', code: 'true' };
  const sandbox = { run: () => Promise.reject(new Error('not a program')) };
  const unavailable = { name: 'ProviderError', code: 'UNAVAILABLE' };
  await expect(runAction(advancedCode, 'run', { input, send })).rejects.toMatchObject(unavailable);
  await expect(runAction(advancedCode, 'run', { input, send, sandbox })).rejects.toMatchObject(unavailable);
});

it('is as severe as an action can be, and knows three languages', () => {
  const { run } = advancedCode.actions;
  expect(run).toMatchObject({
    category: 'code',
    effect: 'destructive',
    idempotent: false,
    usesSandbox: true,
    runsProgram: true,
  });
  expect(inputSchema(run!.props)).toMatchObject({
    required: ['language', 'code'],
    properties: { language: { enum: ['javascript', 'python', 'shell'] } },
    additionalProperties: false,
  });
});
