import { joinNextRun } from './join-next-run.js';

/** Returns work that ends only when the test ends it, and the ends of its runs, in order. */
function heldWork() {
  const runs: { key: string; end(error?: Error): void }[] = [];
  const work = (key: string): Promise<void> =>
    new Promise((resolve, reject) => runs.push({ key, end: (error) => (error ? reject(error) : resolve()) }));
  return { runs, join: joinNextRun(10_000, work) };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('shares the run after the current one', async () => {
  const { runs, join } = heldWork();
  const first = join('a');
  const later = Promise.all([join('a'), join('a'), join('a')]);
  expect(runs).toHaveLength(1);
  runs[0]!.end();
  await first;
  await settle();
  expect(runs).toHaveLength(2);
  runs[1]!.end();
  await later;
  expect(runs).toHaveLength(2);
});

it('does not answer a call with a run that began before it', async () => {
  const { runs, join } = heldWork();
  void join('a');
  const second = join('a');
  runs[0]!.end();
  await settle();
  let isAnswered = false;
  const third = join('a').then(() => (isAnswered = true));
  runs[1]!.end();
  await second;
  await settle();
  expect(isAnswered).toBe(false);
  runs[2]!.end();
  await third;
});

it('begins at once when no run of the key is under way', async () => {
  const { runs, join } = heldWork();
  const calls = [join('a'), join('b')];
  expect(runs.map(({ key }) => key)).toEqual(['a', 'b']);
  for (const { end } of runs) end();
  await Promise.all(calls);
  await settle();
  void join('a');
  expect(runs).toHaveLength(3);
});

it('rejects the calls of a failed run only', async () => {
  const { runs, join } = heldWork();
  const first = join('a');
  const second = join('a');
  runs[0]!.end(new Error('the catalog is down'));
  await expect(first).rejects.toThrow('the catalog is down');
  await settle();
  runs[1]!.end();
  await second;
  await settle();
  const third = join('a');
  const fourth = join('a');
  fourth.catch(() => undefined);
  runs[2]!.end();
  await third;
  await settle();
  runs[3]!.end(new Error('down again'));
  await expect(fourth).rejects.toThrow('down again');
});

it('begins the next run after half a second, although the current one has not ended', async () => {
  const { runs, join } = heldWork();
  const first = join('a');
  const second = join('a');
  const third = join('a');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(runs).toHaveLength(2);
  runs[1]!.end();
  await Promise.all([second, third]);
  await settle();
  const fourth = join('a');
  runs[0]!.end(new Error('it waited for a lock'));
  await expect(first).rejects.toThrow('it waited for a lock');
  expect(runs).toHaveLength(3);
  const fifth = join('a');
  runs[2]!.end();
  await fourth;
  await settle();
  expect(runs).toHaveLength(4);
  runs[3]!.end();
  await fifth;
});
