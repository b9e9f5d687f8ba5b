import { setImmediate } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import { EgressError } from '@drawbridge/egress';
import { type RunContext } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { QueueFullError, WorkerLimitError } from '@drawbridge/turns';
import { redactor } from '../redaction/redactor.js';
import { inProcessWorkers } from '../testing/in-process-worker.js';
import { ACT, declare, run, thirdParty, type WorkOf } from '../testing/run-work.js';
import { runPiece } from './run-piece.js';

const LARGE = 'x'.repeat(100_000);

/** Collects garbage, and returns how many of these objects are still referenced. */
async function stillHeld(held: WeakRef<object>[]): Promise<number> {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  await setImmediate(); // A WeakRef retains an object that was dereferenced in the same turn.
  collect();
  return held.filter((reference) => reference.deref() !== undefined).length;
}

/** Registers a piece with this work, so that a worker finds it, and returns the arguments of a run. */
function registered(work: (context: RunContext<object>) => Promise<any>) {
  const tested = declare(work);
  Object.assign(pieces, { tested });
  return { piece: tested, work: ACT, input: {}, redact: redactor([]) };
}

describe('a run', () => {
  it('stays here while its answers are small', async () => {
    const { asked, moved, output } = await run(async (get) => ({ a: await get('/a') }), { '/a': 'a secret' });
    expect({ asked, moved, output }).toEqual({ asked: ['GET /a'], moved: [], output: { a: 'a [redacted]' } });
  });

  it('starts again in a worker when one is large, and asks nothing twice', async () => {
    const work: WorkOf = async (get) => ({ a: await get('/a'), b: await get('/b'), c: await get('/c') });
    const { asked, moved, output } = await run(work, { '/a': 1, '/b': `secret${LARGE}`, '/c': 3 });
    expect(asked).toEqual(['GET /a', 'GET /b', 'GET /c']);
    expect(moved).toEqual([2]);
    expect(output).toEqual({ a: 1, b: `[redacted]${LARGE}`, c: 3 });
  });

  it('asks nothing twice where requests cross', async () => {
    const chain = async (get: (path: string) => Promise<any>, name: string) => {
      const first = await get(`/${name}1`);
      return [first, await get(`/${name}2`)];
    };
    const work: WorkOf = async (get) => ({ all: await Promise.all([chain(get, 'a'), chain(get, 'b')]) });
    const { asked, output } = await run(work, { '/a1': 1, '/a2': LARGE, '/b1': LARGE, '/b2': 4 });
    expect([...asked].sort()).toEqual(['GET /a1', 'GET /a2', 'GET /b1', 'GET /b2']);
    expect(output).toEqual({
      all: [
        [1, LARGE],
        [LARGE, 4],
      ],
    });
  });

  it('hears there too that a request failed', async () => {
    const work: WorkOf = async (get) => ({
      a: await get('/a').catch(() => 'none'),
      b: await get('/b'),
      c: await get('/c'),
    });
    const lost = new EgressError('UNREACHABLE', 'lost secret', 'x.example', true);
    const { asked, failure } = await run(work, { '/a': lost, '/b': LARGE, '/c': lost });
    expect(asked).toEqual(['GET /a', 'GET /b', 'GET /c']);
    expect(failure).toMatchObject({
      details: { provider: { code: 'UNREACHABLE' } },
      message: 'x.example: lost [redacted]',
    });
  });

  it('leaves nothing behind that it was answered', async () => {
    const answers: WeakRef<object>[] = [];
    for (let runs = 0; runs < 5; runs++) {
      await runPiece({
        ...{
          piece: pieces['http']!,
          work: { kind: 'action', actionName: 'send_request', runId: 'run' } as const,
          input: { method: 'GET', url: 'https://x.example/a' },
        },
        redact: redactor([]),
        send: async ({ url }) => {
          const body = Buffer.alloc(LARGE.length);
          answers.push(new WeakRef(body));
          return { status: 200, headers: {}, body, url };
        },
        runInWorker: inProcessWorkers(),
      });
    }
    expect(answers).toHaveLength(5);
    expect(await stillHeld(answers)).toBe(0);
  });

  it('fails when it asks otherwise the second time, and sends nothing more', async () => {
    let times = 0;
    const { asked, failure } = await run(async (get) => get(`/${(times += 1)}`), { '/1': LARGE, '/2': 2 });
    expect(asked).toEqual(['GET /1']);
    expect(failure).toMatchObject({ details: { provider: { code: 'PIECE_FAILED' }, retryable: false } });
  });

  it('fails when it writes something else when it starts again, and sends nothing more', async () => {
    let times = 0;
    const work = async ({ http }: RunContext<object>): Promise<object> => {
      await http.json({ method: 'POST', path: `/made/${(times += 1)}`, json: {} });
      await http.json({ method: 'GET', path: '/large' });
      return {};
    };
    const { asked, send } = thirdParty({ '/made/1': 1, '/made/2': 2, '/large': LARGE });
    const act = { piece: declare(work), work: ACT, input: {}, redact: redactor([]), send };
    Object.assign(pieces, { tested: act.piece });
    const { failure } = await runPiece({ ...act, runInWorker: inProcessWorkers() });
    expect(asked).toEqual(['POST /made/1', 'GET /large']);
    expect(failure).toMatchObject({ details: { provider: { code: 'PIECE_FAILED' }, retryable: false } });
  });

  it('writes in the same order again where requests cross', async () => {
    // The second chain completes its read first. In the worker, it must also write first, although the first chain sends its read before.
    const work = async ({ http }: RunContext<object>): Promise<object> => {
      const chain = async (name: string): Promise<void> => {
        await http.json({ method: 'GET', path: `/${name}` });
        await http.json({ method: 'POST', path: `/${name}/made`, json: {} });
      };
      await Promise.all([chain('slow'), chain('quick')]);
      return { done: true };
    };
    const { asked, send } = thirdParty({ '/slow': LARGE, '/quick': 1, '/slow/made': 2, '/quick/made': 3 });
    const act = { piece: declare(work), work: ACT, input: {}, redact: redactor([]) };
    Object.assign(pieces, { tested: act.piece });
    const sendSlowly: typeof send = async (request) => {
      if (request.url.endsWith('/slow')) for (let turns = 0; turns < 5; turns++) await setImmediate();
      return send(request);
    };
    const { failure, outputJson } = await runPiece({ ...act, send: sendSlowly, runInWorker: inProcessWorkers() });
    expect({ failure, outputJson }).toEqual({ failure: undefined, outputJson: '{"done":true}' });
    expect([...asked].sort()).toEqual(['GET /quick', 'GET /slow', 'POST /quick/made', 'POST /slow/made']);
  });

  it('sends nothing more once it has ended', async () => {
    let answerSlowly = (): void => undefined;
    const slow = new Promise<void>((resolve) => (answerSlowly = resolve));
    const { send } = thirdParty({ '/slow': 1, '/after': 2 });
    const late: boolean[] = [];
    const work = async ({ http }: RunContext<object>): Promise<object> => {
      const chain = http
        .json({ method: 'GET', path: '/slow' })
        .then(() => http.json({ method: 'POST', path: '/after' }));
      await Promise.all([chain, Promise.reject(new Error('failed meanwhile'))]);
      return {};
    };
    const ended = await runPiece({
      ...{ piece: declare(work), work: ACT, input: {}, redact: redactor([]) },
      send: async (request) => {
        if (request.url.endsWith('/slow')) await slow;
        else late.push(request.signal!.aborted);
        return send(request);
      },
      runInWorker: () => Promise.reject(new Error('Nothing is large')),
    });
    expect(ended.failure).toBeDefined();
    answerSlowly();
    await setImmediate();
    expect(late).toEqual([true]); // Egress rejects a request with an aborted signal.
  });

  it.each([new QueueFullError('1000 wait already'), new WorkerLimitError('Took too long')])(
    'fails closed when its output cannot be redacted: %s',
    async (error) => {
      const work = async (): Promise<object> => ({ done: true });
      const redactOutput = (): Promise<never> => Promise.reject(error);
      const runInWorker = (): Promise<never> => Promise.reject(new Error('Nothing is large'));
      const { send } = thirdParty({});
      const ended = await runPiece({ ...registered(work), send, runInWorker, redactOutput });
      expect(ended.outputJson).toBeUndefined();
      expect(ended.failure).toMatchObject({ details: { provider: { code: 'OUTPUT_TOO_LARGE' }, retryable: false } });
    },
  );

  it('fails closed when its worker does', async () => {
    const { send } = thirdParty({ '/a': LARGE });
    const ended = await runPiece({
      ...{
        piece: pieces['http']!,
        work: { kind: 'action', actionName: 'send_request', runId: 'run' } as const,
        input: { method: 'GET', url: 'https://x.example/a' },
      },
      ...{ redact: redactor([]), send },
      runInWorker: () => Promise.reject(new Error('died')),
    });
    expect(ended.failure).toMatchObject({ details: { provider: { code: 'OUTPUT_TOO_LARGE' }, retryable: false } });
    expect(ended.failure?.message).toMatch(/changed nothing/);
    expect(ended.outputJson).toBeUndefined();
  });
});
