import { setImmediate } from 'node:timers/promises';
import { EgressError } from '@drawbridge/egress';
import { type Answer, type RunContext, type SendRequest } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { SUSPENDED } from '../workers/job-pool.js';
import { redactor } from '../redaction/redactor.js';
import { inProcessWorkers } from '../testing/in-process-worker.js';
import { ACT, declare, thirdParty } from '../testing/run-work.js';
import { type RunInWorker, runAsJob } from './run-as-job.js';
import { runPiece } from './run-piece.js';

const LARGE = 'x'.repeat(100_000);

/** Registers a piece with this work, so that a worker finds it, and returns the arguments of a run. */
function registered(work: (context: RunContext<object>) => Promise<any>) {
  const tested = declare(work);
  Object.assign(pieces, { tested });
  return { piece: tested, work: ACT, input: {}, redact: redactor([]) };
}

describe('a run that starts again in a worker', () => {
  it('answers two writes in their order, also where the second now has the body of the first', async () => {
    let times = 0;
    const work = async ({ http }: RunContext<object>): Promise<object> => {
      const make = (): Promise<unknown> => http.json({ method: 'POST', path: '/made', json: { second: (times += 1) } });
      const made = [await make(), await make()];
      times = 1; // The restarted run begins with the value that the second write of the first run sent.
      return { made, large: (await http.json({ method: 'GET', path: '/large' })) === LARGE };
    };
    let id = 0;
    const send = async ({ url, method }: SendRequest): Promise<Answer> => ({
      status: 200,
      headers: {},
      body: Buffer.from(JSON.stringify(method === 'GET' ? LARGE : ++id)),
      url,
    });
    const { outputJson } = await runPiece({ ...registered(work), send, runInWorker: inProcessWorkers() });
    expect(JSON.parse(outputJson!)).toEqual({ made: [1, 2], large: true });
  });

  it('may write another body when it starts again, and sends none twice', async () => {
    let times = 0;
    const work = async ({ http }: RunContext<object>): Promise<object> => {
      const make = () => http.json({ method: 'POST', path: '/made', json: { times: (times += 1) } });
      return { made: [await make(), await make()], large: await http.json({ method: 'GET', path: '/large' }) };
    };
    const { asked, send } = thirdParty({ '/made': 1, '/large': LARGE });
    const { outputJson } = await runPiece({ ...registered(work), send, runInWorker: inProcessWorkers() });
    expect(asked).toEqual(['POST /made', 'POST /made', 'GET /large']);
    expect(JSON.parse(outputJson!)).toEqual({ made: [1, 1], large: LARGE });
  });

  it('fails where writes to one URL crossed and have other bodies when it starts again, and sends nothing more', async () => {
    let times = 0;
    const work = async ({ http }: RunContext<object>): Promise<object> => {
      const make = () => http.json({ method: 'POST', path: '/made', json: { times: (times += 1) } });
      await Promise.all([make(), make()]);
      await http.json({ method: 'GET', path: '/large' });
      return {};
    };
    const { asked, send } = thirdParty({ '/made': 1, '/large': LARGE });
    const { failure, defect } = await runPiece({ ...registered(work), send, runInWorker: inProcessWorkers() });
    expect(asked).toEqual(['POST /made', 'POST /made', 'GET /large']);
    expect(failure).toMatchObject({ details: { provider: { code: 'PIECE_FAILED' }, retryable: false } });
    expect(defect).toMatchObject({ message: expect.stringContaining('sent other requests') });
  });

  it('does each of two writes to one URL once where they cross, and hears its own answer', async () => {
    const work = async ({ http }: RunContext<object>): Promise<object> => {
      const make = async (name: string) => [name, await http.json({ method: 'POST', path: '/made', json: { name } })];
      const made = await Promise.all([make('slow'), make('quick'), make('quick')]);
      return { made, more: await http.json({ method: 'GET', path: '/large' }).then(() => 'read') };
    };
    const bodies: string[] = [];
    const send = async ({ url, body }: SendRequest): Promise<Answer> => {
      const name = body ? JSON.parse(String(body)).name : 'large';
      if (body) bodies.push(name);
      if (name === 'slow') for (let turns = 0; turns < 5; turns++) await setImmediate();
      const answer = name === 'large' ? LARGE : `${name} ${bodies.length}`;
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)), url };
    };
    const { outputJson } = await runPiece({ ...registered(work), send, runInWorker: inProcessWorkers() });
    expect(bodies).toEqual(['slow', 'quick', 'quick']);
    const made = [
      ['slow', 'slow 3'],
      ['quick', 'quick 2'],
      ['quick', 'quick 3'],
    ];
    expect(JSON.parse(outputJson!)).toEqual({ made, more: 'read' });
  });

  it('may be repeated where egress refused its write in the worker before it was sent', async () => {
    const work = async ({ http }: RunContext<object>): Promise<object> => {
      await http.json({ method: 'GET', path: '/large' });
      return { made: await http.json({ method: 'POST', path: '/made', json: {} }) };
    };
    const refused = new EgressError('UNREACHABLE', 'refused', 'x.example', false);
    const { send } = thirdParty({ '/large': LARGE, '/made': refused });
    const { failure } = await runPiece({ ...registered(work), send, runInWorker: inProcessWorkers() });
    expect(failure).toMatchObject({ details: { provider: { code: 'UNREACHABLE' }, retryable: true } });
  });

  it('gives its worker up while its provider hangs and another run needs one, and then starts again', async () => {
    let answerSlowly = (): void => undefined;
    const slow = new Promise<void>((resolve) => (answerSlowly = resolve));
    const work = async ({ http, input }: RunContext<object>): Promise<object> => {
      const { path } = input as { path: string };
      const made = await http.json({ method: 'POST', path: '/made', json: {} });
      await http.json({ method: 'GET', path: '/large' });
      return { made, said: await http.json({ method: 'GET', path }) };
    };
    const { asked, send } = thirdParty({ '/made': 1, '/large': LARGE, '/slow': 2, '/quick': 3 });
    const moved: number[] = [];
    const runInWorker = inProcessWorkers(moved, { most: 1, holdMs: 0 });
    const slowly: typeof send = async (request) => {
      if (request.url.endsWith('/slow')) await slow;
      return send(request);
    };
    const start = (path: string) =>
      runPiece({ ...registered(work), input: { path }, send: slowly, runInWorker }).then((ended) => ended.outputJson);
    const hanging = start('/slow');
    expect(await start('/quick')).toBe('{"made":1,"said":3}');
    answerSlowly();
    expect(await hanging).toBe('{"made":1,"said":2}');
    expect(moved).toEqual([2, 2, 3]);
    expect(asked.filter((one) => one === 'POST /made')).toHaveLength(2);
  });
});

it('keeps all answers of a run that its worker gives up, also if more arrive than a run may keep', async () => {
  const body = Buffer.alloc(33 * 1024 * 1024);
  const sizes: (number | undefined)[] = [];
  let runs = 0;
  const runInWorker = (async ({ begin, send, canRestart }) => {
    const { sent } = begin();
    runs += 1;
    if (runs === 2) {
      sizes.push(...sent.map(({ answer }) => answer?.body.length));
      return { outputJson: '{}' };
    }
    const get = (n: number) => send({ method: 'GET', url: `https://tested.example/${n}`, headers: {} });
    await get(1);
    expect(canRestart()).toBe(true);
    await get(2);
    return SUSPENDED;
  }) as RunInWorker;
  const send = async ({ url }: SendRequest): Promise<Answer> => ({ status: 200, headers: {}, body, url });
  const signal = new AbortController().signal;
  const run = { ...registered(async () => ({})), send, signal, runInWorker, exchanges: [], onBegin: () => {} };
  expect(await runAsJob(run)).toEqual({ outputJson: '{}' });
  expect(sizes).toEqual([body.length, body.length]);
});
