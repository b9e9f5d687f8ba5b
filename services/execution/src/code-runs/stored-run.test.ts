import { jest } from '@jest/globals';
import { type CodeRun } from './code-run.js';
import { CodeReport } from './run-report.js';
import { LeaseLostError, StoredRun } from './stored-run.js';

afterEach(() => void jest.useRealTimers());

it('gives the run up when its lease ends while the database does not answer', async () => {
  jest.useFakeTimers();
  const query = () => new Promise(() => undefined);
  const needs = { pipeline: { pool: { query } } } as never;
  const stored = new StoredRun(needs, { run: { id: 'r', orgId: 'o' } as CodeRun, report: new CodeReport() });
  stored.hold();
  await jest.advanceTimersByTimeAsync(14_000);
  expect(stored.signal.aborted).toBe(false);
  await jest.advanceTimersByTimeAsync(6_000);
  expect(stored.signal.reason).toBeInstanceOf(LeaseLostError);
  stored.stop();
});
