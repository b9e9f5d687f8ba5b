import { keepTrying } from './keep-trying.js';

/** Fails `times` times, then succeeds. */
function failing(times: number) {
  let tried = 0;
  const work = async (): Promise<number> => {
    if (++tried <= times) throw new Error(`${tried}`);
    return tried;
  };
  return { work, tried: () => tried };
}

const FOREVER = Number.MAX_SAFE_INTEGER;

it('retries until success, and reports each failure', async () => {
  const failures: unknown[] = [];
  const { work } = failing(3);
  const failed = (error: unknown): void => void failures.push((error as Error).message);
  expect(await keepTrying({ until: FOREVER, pauseMs: 0, failed }, work)).toBe(4);
  expect(failures).toEqual(['1', '2', '3']);
});

it('retries once more if an attempt that began in time failed after the deadline', async () => {
  const until = performance.now() + 5;
  const { work } = failing(1);
  const stopped = async (): Promise<number> => {
    while (performance.now() <= until) await new Promise(setImmediate);
    return work();
  };
  expect(await keepTrying({ until, pauseMs: 0 }, stopped)).toBe(2);
});

it.each([
  ['time is over', { until: 0 }],
  ['the failure is permanent', { until: FOREVER, mayPass: () => false }],
])('fails with the error of the work without a report if %s', async (_, patience) => {
  const { work, tried } = failing(1);
  const failed = (): never => {
    throw new Error('answered');
  };
  await expect(keepTrying({ pauseMs: 0, failed, ...patience }, work)).rejects.toThrow('1');
  expect(tried()).toBe(1);
});
