import { EgressError } from '@drawbridge/egress';
import { action, type Answer, piece, type Piece, type RunContext, type Send } from '@drawbridge/piece-kit';
import { redactor } from '../redaction/redactor.js';
import { mayHaveWritten } from './attempt.js';
import { runPiece } from './run-piece.js';

type Step = [method: string, answered: number | EgressError, redirectedTo?: string];

const notSent = new EgressError('UNREACHABLE', 'refused', 'x.example', false);
const lost = new EgressError('UNREACHABLE', 'lost', 'x.example', true);

/** Runs an action that sends these requests, and returns whether its failure is retryable. */
async function isRetryable(steps: Step[], idempotent = false): Promise<unknown> {
  const left = [...steps];
  const send: Send = async ({ url }): Promise<Answer> => {
    const [, answered, redirectedTo = url] = left.shift()!;
    if (answered instanceof EgressError) throw answered;
    return {
      status: answered,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{}'),
      url: redirectedTo,
    };
  };
  const run = async ({ http }: RunContext<object>) => {
    for (const [method] of steps) await http.json({ method, path: '/a' });
    return {};
  };
  const act = action({ displayName: 'Act', description: 'Acts', category: 'write', idempotent, props: {}, run });
  const names = {
    name: 'tested',
    displayName: 'Tested',
    description: 'Tested',
    categories: ['UTILITIES'] as ['UTILITIES'],
  };
  const tested: Piece = piece({ ...names, origin: 'https://x.example', actions: { act } });
  const runInWorker = () => Promise.reject(new Error('Nothing is large'));
  const { failure } = await runPiece({
    piece: tested,
    work: { kind: 'action', actionName: 'act', runId: 'run' },
    input: {},
    redact: redactor([]),
    send,
    runInWorker,
  });
  return failure?.details?.['retryable'];
}

describe('an action may be run again', () => {
  it.each<[string, Step[], boolean]>([
    ['when its write was refused for now', [['POST', 429]], true],
    ['not when its write was followed by one that was', [['POST', 429, 'https://x.example/made/1']], false],
    ['not when its write met trouble', [['POST', 503]], false],
    ['not when its write got lost', [['POST', lost]], false],
    ['when its write was never sent', [['POST', notSent]], true],
    ['when it only read', [['GET', 503]], true],
    [
      'when it had only read',
      [
        ['GET', 200],
        ['POST', notSent],
      ],
      true,
    ],
    [
      'not when it had written before',
      [
        ['POST', 200],
        ['POST', notSent],
      ],
      false,
    ],
    [
      'not when it had written before it was refused for now',
      [
        ['POST', 200],
        ['POST', 429],
      ],
      false,
    ],
    [
      'not when it had written before it read',
      [
        ['POST', 200],
        ['GET', 503],
      ],
      false,
    ],
    ['not when it is wrong', [['GET', 404]], false],
  ])('%s', async (_what, steps, expected) => {
    expect(await isRetryable(steps)).toBe(expected);
  });

  it('not while one of its writes is under way', () => {
    expect(mayHaveWritten([{ request: { method: 'POST', url: 'https://x.example/a' } }])).toBe(true);
    expect(mayHaveWritten([{ request: { method: 'GET', url: 'https://x.example/a' } }])).toBe(false);
  });

  it('whatever it sent when it is idempotent', async () => {
    expect(
      await isRetryable(
        [
          ['PUT', 200],
          ['PUT', 503],
        ],
        true,
      ),
    ).toBe(true);
  });
});
