import { CodeFailedError, runAction, StateError } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { openSandbox } from '@drawbridge/sandbox';
import { redactor } from '../redaction/redactor.js';
import { codeRunners } from './code-runner.js';
import { toFailure } from './failures.js';

const runners = codeRunners(() => openSandbox({ workers: 1, atOnce: 1, waiting: 1 }));
afterAll(() => runners.stop(0));

const code = pieces['code']!;
const send = async (): Promise<never> => Promise.reject(new Error('Code has no network'));
const run = (text: string) =>
  runAction(code, 'run', { input: { code: text }, send, sandbox: runners.of('acme') }).catch((error: unknown) => error);
const failureOf = (error: unknown) =>
  toFailure(error, { piece: code, redact: redactor(['secret-1234']), isRepeatable: false });

it('returns the output of code', async () => {
  expect(await run('return 1 + 1')).toMatchObject({ value: 2, console: [] });
});

it('describes a failure with its position and console, without secrets', async () => {
  const error = await run('console.log("secret-1234");\nthrow new Error("secret-1234 is wrong")');
  expect(error).toBeInstanceOf(CodeFailedError);
  const failure = failureOf(error);
  expect(failure).toMatchObject({
    code: 'ACTION_FAILED',
    details: {
      provider: { status: null, code: 'RUNTIME_ERROR', line: 2, console: [{ level: 'log' }] },
      retryable: false,
    },
  });
  expect(JSON.stringify(failure)).not.toContain('secret-1234');
});

it('refuses more runs of an organization than may wait', async () => {
  const all = await Promise.all([1, 2, 3].map(() => run('return 1')));
  expect(all[2]).toBeInstanceOf(StateError);
  expect(failureOf(all[2])).toMatchObject({ details: { provider: { code: 'TOO_BUSY' }, retryable: true } });
});
