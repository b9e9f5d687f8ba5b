import { type CodeRun } from './code-run.js';
import { CodeReport } from './run-report.js';
import { LeaseLostError, StoredRun } from './stored-run.js';

it('gives the run up when its lease ends while the database does not answer', async () => {
  const query = () => new Promise(() => undefined);
  const needs = { pipeline: { pool: { query } } } as never;
  const stored = new StoredRun(needs, { run: { id: 'r', orgId: 'o' } as CodeRun, report: new CodeReport() });
  const keepRunning = setInterval(() => undefined, 1_000);
  stored.hold();
  await new Promise((resolve) => stored.signal.addEventListener('abort', resolve));
  expect(stored.signal.reason).toBeInstanceOf(LeaseLostError);
  stored.stop();
  clearInterval(keepRunning);
}, 40_000);
