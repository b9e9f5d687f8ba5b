import { action, type Answer, piece, type Piece, type RunContext } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { redactor } from '../redaction/redactor.js';
import { inProcessWorkers } from '../testing/in-process-worker.js';
import { runPiece } from './run-piece.js';

const LARGE = 'x'.repeat(100_000);

/**
 * Requests the paths in order from a fake provider. Each path has a list of responses. A number is a response 429 with this Retry-After in seconds.
 */
async function run(answers: Record<string, (number | string)[]>, limitMs?: number) {
  const work = async ({ http }: RunContext<object>): Promise<object> => {
    const said: unknown[] = [];
    for (const path of Object.keys(answers)) said.push(await http.json({ method: 'GET', path }));
    return { said };
  };
  const asked: string[] = [];
  const send = async ({ url }: { url: string }): Promise<Answer> => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    const answer = answers[pathname]?.shift();
    if (typeof answer !== 'number') return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)), url };
    return { status: 429, headers: { 'retry-after': String(answer) }, body: new Uint8Array(), url };
  };
  const moved: number[] = [];
  const ended = await runPiece({
    ...{
      piece: declare(work),
      work: { kind: 'action', actionName: 'act', runId: 'run' },
      input: {},
      redact: redactor([]),
      send,
      limitMs,
    },
    runInWorker: inProcessWorkers(moved),
  });
  return { asked, moved, ...ended };
}

/** Registers the piece, because the worker finds it in the registry by its name. */
function declare(work: (context: RunContext<object>) => Promise<any>): Piece {
  const names = { name: 'tested', displayName: 'Tested', description: 'Tested', origin: 'https://x.example' };
  const act = action({ displayName: 'Act', description: 'Acts', category: 'write', props: {}, run: work });
  return ((pieces as Record<string, Piece>)['tested'] = piece({
    ...names,
    categories: ['UTILITIES'],
    actions: { act },
  }));
}

it('asks again when it said so', async () => {
  const { asked, outputJson } = await run({ '/a': [0, 0, 'done'] });
  expect(asked).toEqual(['/a', '/a', '/a']);
  expect(JSON.parse(outputJson!)).toEqual({ said: ['done'] });
});

it('waits and asks once alone where a run goes on in a worker', async () => {
  const { asked, moved, outputJson } = await run({ '/a': [0, LARGE], '/b': [0, 'done'] });
  expect(asked).toEqual(['/a', '/a', '/b', '/b']);
  expect(moved).toEqual([2]);
  expect(JSON.parse(outputJson!)).toEqual({ said: [LARGE, 'done'] });
});

it.each([
  ['longer than a run may wait', 31, undefined],
  ['longer than the run has time', 5, 5_000],
])('tells the caller when it may try again where that is %s', async (_, seconds, limitMs) => {
  const { asked, failure } = await run({ '/a': [seconds] }, limitMs);
  expect(asked).toEqual(['/a']);
  expect(failure).toMatchObject({
    code: 'ACTION_FAILED',
    details: { provider: { status: 429, retryAfter: seconds }, retryable: true },
  });
});
