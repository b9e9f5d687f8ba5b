import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, type SendRequest } from '@drawbridge/piece-kit';
import { addPieces, findPiece } from '@drawbridge/pieces';
import { redactor } from '../redaction/redactor.js';
import { type AttemptResult } from '../running/attempt.js';
import { runPiece } from '../running/run-piece.js';
import { type JobPool } from './job-pool.js';

/** The folder of the compiled workers, because a worker thread cannot run TypeScript sources. */
const DIST = join(import.meta.dirname, '../../dist/workers');
const LARGE = { text: 'x'.repeat(100_000) };

/** A piece. Each action reads a large response first, so that the run moves to a thread. */
const PIECE = `
  const act = (run) => ({ http }) => http.json({ method: 'GET', path: '/large' }).then(() => run(http));
  const declare = (kit, run, more = {}) =>
    kit.action({ displayName: 'Act', description: 'Acts', category: 'read', props: {}, run, ...more });
  const paging = {
    items: (body) => body.items,
    next: ({ request, body: { next } }) => next === null ? undefined : { ...request, query: { page: next } },
  };
  const count = async (http, path) => {
    let items = 0;
    for await (const _ of http.pages({ method: 'GET', path, query: { page: 0 } }, 1e9, paging)) items += 1;
    return { items };
  };
  const grow = () => { for (const all = []; ; ) all.push(new Array(1_000_000).fill(all.length)); };
  export default (kit) => kit.piece({
    name: 'heavy', displayName: 'Heavy', description: 'Heavy', categories: ['UTILITIES'], origin: 'https://x.example',
    actions: {
      read: declare(kit, act(() => ({ done: true }))),
      exit: declare(kit, act(() => process.exit(1))),
      grow: declare(kit, act(grow)),
      loop: declare(kit, act(() => { for (;;); })),
      pages20: declare(kit, ({ http }) => count(http, '/pages/20')),
      pages80: declare(kit, ({ http }) => count(http, '/pages/80')),
    },
  });`;

let folder: string;
let threads: JobPool;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pieces-'));
  writeFileSync(join(folder, 'heavy.mjs'), PIECE);
  await addPieces(folder);
  const { jobPool } = await import(join(DIST, 'job-pool.js'));
  const { newThread } = await import(join(DIST, 'worker.js'));
  threads = jobPool(() => newThread(folder), 4);
});
afterAll(async () => {
  await threads.stop(0);
  rmSync(folder, { recursive: true });
});

async function send({ url }: SendRequest): Promise<Answer> {
  const { pathname, searchParams } = new URL(url);
  const page = Number(searchParams.get('page'));
  const next = page + 1 < Number(pathname.split('/').at(-1)) ? page + 1 : null;
  const items = Array.from({ length: 1_000 }, (_, id) => ({ id, body: 'x'.repeat(370) }));
  const body = Buffer.from(JSON.stringify(pathname === '/large' ? LARGE : { next, items }));
  return { status: 200, headers: { 'content-type': 'application/json' }, body, url };
}

function run(actionName: string): Promise<AttemptResult> {
  const work = { kind: 'action', actionName, runId: 'run' } as const;
  const runInWorker = (job: Parameters<JobPool['run']>[1], signal: AbortSignal) => threads.run('org', job, signal);
  return runPiece({ piece: findPiece('heavy')!, work, input: {}, redact: redactor([]), send, runInWorker });
}

it.each([
  ['ends', 'exit'],
  ['has no memory left', 'grow'],
  ['never comes to an end', 'loop'],
])('fails only the action in a thread that %s', async (_how, actionName) => {
  const [failed, other] = await Promise.all([run(actionName), run('read')]);
  expect(failed.failure).toMatchObject({
    code: 'ACTION_FAILED',
    message: expect.stringContaining('changed nothing'),
    details: { provider: { code: 'OUTPUT_TOO_LARGE' }, retryable: false },
  });
  expect(other.outputJson).toBe('{"done":true}');
  expect((await run('read')).outputJson).toBe('{"done":true}');
});

// Like all costs over sizes, it is measured only in the full run.
if (process.env['FULL'] !== '0') {
  it('costs processor time linear in the number of pages', async () => {
    const cost = async (pages: number): Promise<number> => {
      const from = process.cpuUsage();
      expect((await run(`pages${pages}`)).outputJson).toBe(`{"items":${pages * 1_000}}`);
      const { user, system } = process.cpuUsage(from); // Includes the times of all threads.
      return user + system;
    };
    await cost(20); // The first run only starts a thread.
    const [few, many] = [await leastOf5(() => cost(20)), await leastOf5(() => cost(80))];
    expect(many / few).toBeLessThan(1.5 * 4); // Quadratic work would cost 16 times as much.
  });
}

/** Returns the lowest of five measurements, because other work on the machine can only increase a measurement. */
async function leastOf5(cost: () => Promise<number>): Promise<number> {
  const costs: number[] = [];
  while (costs.length < 5) costs.push(await cost());
  return Math.min(...costs);
}
