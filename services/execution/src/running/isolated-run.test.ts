import { QueueFullError } from '@drawbridge/turns';
import { redactor } from '../redaction/redactor.js';
import { ACT, declare, run, thirdParty } from '../testing/run-work.js';
import { NotBegunError } from '../workers/worker-slots.js';
import { type WorkerRun } from '../workers/job-pool.js';
import { LimitError } from '../workers/worker.js';
import { runPiece } from './run-piece.js';

describe('a run of what its caller wrote', () => {
  it('is elsewhere from the start, and sends from here', async () => {
    const { asked, moved, output } = await run(async (get) => ({ a: await get('/a') }), { '/a': 1 }, true);
    expect({ asked, moved, output }).toEqual({ asked: ['GET /a'], moved: [0], output: { a: 1 } });
  });

  it.each([
    [new LimitError('Took too long'), 'LIMIT_EXCEEDED', false],
    [new QueueFullError('1000 wait already'), 'TOO_BUSY', true],
    [new NotBegunError('No worker could be started'), 'TOO_BUSY', true],
    [new Error('died'), 'PIECE_FAILED', false],
  ])('says why it did not end: %s', async (error, code, retryable) => {
    const act = { piece: declare(async () => ({}), true), work: ACT, input: {}, redact: redactor([]) };
    const ended = await runPiece({ ...act, send: thirdParty({}).send, runInWorker: () => Promise.reject(error) });
    expect(ended.failure).toMatchObject({ code: 'ACTION_FAILED', details: { provider: { code }, retryable } });
    expect(ended.defect).toBe(code === 'PIECE_FAILED' ? error : undefined);
  });

  it.each([
    ['TOO_BUSY', 'before its turn', false],
    ['TIMEOUT', 'in its turn', true],
  ])('gets %s when its time is over %s', async (code, _when, hasTurn) => {
    const act = { piece: declare(async () => ({}), true), work: ACT, input: {}, redact: redactor([]), limitMs: 1 };
    const runInWorker = (job: WorkerRun): Promise<never> => {
      if (hasTurn) job.begin();
      return new Promise(() => undefined);
    };
    const { failure } = await runPiece({ ...act, send: thirdParty({}).send, runInWorker });
    expect(failure).toMatchObject({ details: { provider: { code }, retryable: !hasTurn } });
  });
});
