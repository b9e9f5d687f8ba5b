import { setImmediate } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import { EgressError } from '@drawbridge/egress';
import { type RunContext } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { replay } from '../large-answers/replay.js';
import { redactor } from '../redaction/redactor.js';
import { ACT, declare, run, thirdParty, type WorkOf } from '../testing/run-work.js';
import { runPiece } from './run-piece.js';

const LARGE = 'x'.repeat(100_000);

/** Collects what nobody holds, and returns how many of these are held all the same. */
async function stillHeld(held: WeakRef<object>[]): Promise<number> {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  await setImmediate(); // a WeakRef holds what it was asked for in the same turn
  collect();
  return held.filter((reference) => reference.deref() !== undefined).length;
}

describe('a run', () => {
  it('stays here while its answers are small', async () => {
    const { asked, replays, output } = await run(async (get) => ({ a: await get('/a') }), { '/a': 'a secret' });
    expect({ asked, replays, output }).toEqual({ asked: ['GET /a'], replays: [], output: { a: 'a [redacted]' } });
  });

  it('goes on elsewhere when one is large, and asks nothing twice', async () => {
    const work: WorkOf = async (get) => ({ a: await get('/a'), b: await get('/b'), c: await get('/c') });
    const { asked, replays, output } = await run(work, { '/a': 1, '/b': `secret${LARGE}`, '/c': 3 });
    expect(asked).toEqual(['GET /a', 'GET /b', 'GET /c']);
    expect(replays).toEqual([2, 3]);
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
        replay: (job) => replay(structuredClone(job.toReplay())),
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
      replay: () => Promise.reject(new Error('Nothing is large')),
    });
    expect(ended.failure).toBeDefined();
    answerSlowly();
    await setImmediate();
    expect(late).toEqual([true]); // egress refuses it
  });

  it('fails closed when the other thread does', async () => {
    const { send } = thirdParty({ '/a': LARGE });
    const ended = await runPiece({
      ...{
        piece: pieces['http']!,
        work: { kind: 'action', actionName: 'send_request', runId: 'run' } as const,
        input: { method: 'GET', url: 'https://x.example/a' },
      },
      ...{ redact: redactor([]), send },
      replay: () => Promise.reject(new Error('died')),
    });
    expect(ended.failure).toMatchObject({ details: { provider: { code: 'OUTPUT_TOO_LARGE' }, retryable: false } });
    expect(ended.failure?.message).toMatch(/changed nothing/);
    expect(ended.outputJson).toBeUndefined();
  });
});
