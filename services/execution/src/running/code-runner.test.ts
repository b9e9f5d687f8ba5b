import { CodeFailedError, JsonText, runAction, stringifyOutput } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { openSandbox } from '@drawbridge/sandbox';
import { redactor } from '../redaction/redactor.js';
import { codeRunners } from './code-runner.js';
import { toFailure } from './failures.js';

const runners = codeRunners(() => openSandbox({ workers: 1, atOnce: 1, waiting: 1 }), 500);
afterAll(() => runners.stop(0));

const code = pieces['code']!;
const send = async (): Promise<never> => Promise.reject(new Error('Code has no network'));
const acquire = () => runners.acquire({ organization: 'acme' });
async function run(text: string): Promise<unknown> {
  const slot = await acquire();
  const running = runAction(code, 'run', { input: { code: text }, send, sandbox: slot });
  return running.catch((error: unknown) => error).finally(slot.release);
}
const failureOf = (error: unknown) =>
  toFailure(error, { piece: code, redact: redactor(['secret-1234']), isRepeatable: false });

it('returns the output of code', async () => {
  const output = (await run('return [1 + 1, "é"]')) as object;
  expect(output).toMatchObject({ value: expect.any(JsonText) }); // A parsed value would have blocked the thread.
  expect(JSON.parse(stringifyOutput(output))).toEqual({ value: [2, 'é'], console: [], duration: expect.any(Number) });
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

it('refuses more runs of an organization than may wait, and runs that wait for too long', async () => {
  const [slot, waiting] = [await acquire(), acquire()];
  await expect(acquire()).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429, details: { retryAfter: 5 } });
  await expect(waiting).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  slot.release();
});

it('does not run code of a caller that left during the wait', async () => {
  const slot = await acquire();
  const leaving = new AbortController();
  const waiting = runners.acquire({ organization: 'acme', signal: leaving.signal });
  leaving.abort(new Error('left'));
  await expect(waiting).rejects.toMatchObject({ code: 'TIMEOUT' });
  slot.release();
});
