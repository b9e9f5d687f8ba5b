import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workerPool } from '@drawbridge/turns';
import { analyzer } from './analyzer.js';

/** The compiled worker, because a worker thread cannot run TypeScript sources. */
const WORKER = pathToFileURL(join(import.meta.dirname, '../../dist/code-runs/analysis-worker.js'));
const pool = (limits: object = {}) =>
  analyzer(workerPool(WORKER, { workers: 1, waiting: 1, jobMs: 10_000, ...limits }));

let analyzing = pool();
afterEach(async () => {
  await analyzing.stop(0);
  analyzing = pool();
});

it('analyzes code in a thread', async () => {
  const analyzed = await analyzing.analyze('acme', {
    code: 'await svc.bank.pay({})',
    tools: [{ alias: 'bank', actionName: 'pay', integrationName: 'bank' }],
  });
  expect(analyzed).toMatchObject({ analysis: { predictedTools: ['bank.pay'] } });
});

it('removes the types of TypeScript, and reports the place of a syntax error', async () => {
  const tools = [{ alias: 'bank', actionName: 'pay', integrationName: 'bank' }];
  const typed = await analyzing.analyze('acme', { code: 'const n: number = 1; await svc.bank.pay({ n })', tools });
  expect(typed).toMatchObject({ analysis: { predictedTools: ['bank.pay'], analysisConfidence: 'exact' } });
  const broken = await analyzing.analyze('acme', { code: 'return 1;\nreturn )', tools: [] });
  expect(broken).toMatchObject({ error: { code: 'SYNTAX_ERROR', line: 2 } });
});

it('answers code that cannot be analyzed in time with an error of the code', async () => {
  analyzing = pool({ jobMs: 1 });
  const analyzed = await analyzing.analyze('acme', { code: 'return 1', tools: [] });
  expect(analyzed).toMatchObject({ error: { code: 'SYNTAX_ERROR', message: expect.stringContaining('shorter') } });
});

it('refuses more programs of an organization than may wait', async () => {
  const job = { code: 'return 1', tools: [] };
  const results = await Promise.allSettled([1, 2, 3].map(() => analyzing.analyze('acme', job)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(results[2]).toMatchObject({ reason: { code: 'RATE_LIMITED', status: 429 } });
});
