import { CodeReport } from './run-report.js';

function reportOf(count: number): CodeReport {
  const report = new CodeReport();
  for (let n = 1; n <= count; n++) {
    report.begin(String(n), 'bank.pay');
    report.end(String(n), n % 2 ? 'success' : 'failed', `e${n}`);
  }
  return report;
}

it.each([
  [0, 'No action was executed.'],
  [1, 'Executed actions: bank.pay (success).'],
  [2, 'Executed actions: bank.pay (success), bank.pay (failed).'],
])('describes %d executed calls', (count, text) => expect(reportOf(count).describeExecuted()).toBe(text));

it.each([
  [0, 'Start the program again.'],
  [1, 'Start a program that does not repeat them.'],
])('says how to start again after %d executed calls', (count, text) =>
  expect(reportOf(count).describeRestart()).toBe(text),
);

it('advises no repetition after a crash, because later actions are not listed', () => {
  const report = new CodeReport({ ...reportOf(1).toStored(), hasCrashed: true });
  expect(report.describeExecuted()).toBe(
    'Executed actions: bank.pay (success). Later actions of the run are in the run log.',
  );
  const without = new CodeReport({ console: [], calls: [], hasCrashed: true });
  expect(without.describeExecuted()).toBe('Later actions of the run are in the run log.');
  expect(without.describeRestart()).toBe('Start a program that does not repeat them.');
});

it('lists a call with an unknown outcome, also after a pause', () => {
  const report = new CodeReport();
  report.begin('1', 'bank.pay');
  report.endUnknown('1');
  const resumed = new CodeReport(JSON.parse(JSON.stringify(report.toStored())));
  expect(resumed.describeExecuted()).toBe('Executed actions: bank.pay (outcome unknown).');
  expect(resumed.describeRestart()).toBe('Start a program that does not repeat them.');
});

it('names at most 20 executed calls', () => {
  expect(reportOf(25).describeExecuted()).toMatch(/^Executed actions: (bank\.pay \(\w+\),? ){20}and 5 more\.$/);
});

it('names no call that was not executed', () => {
  const report = new CodeReport();
  report.begin('1', 'bank.pay');
  report.begin('2', 'bank.read');
  report.end('2', 'failed');
  expect(report.describeExecuted()).toBe('No action was executed.');
});

it('keeps its calls over a pause, and the place of one that is made again', () => {
  const report = reportOf(2);
  const { calls, console } = JSON.parse(JSON.stringify(report.toStored()));
  const resumed = new CodeReport({ calls, console });
  resumed.begin('1', 'bank.pay');
  expect(resumed.toResult().calls).toEqual([
    { path: 'bank.pay', status: 'pending', executionId: undefined },
    { path: 'bank.pay', status: 'failed', executionId: 'e2' },
  ]);
});
