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

it('tries again until it is done, and tells of each failure', async () => {
  const failures: unknown[] = [];
  const { work } = failing(3);
  const failed = (error: unknown): void => void failures.push((error as Error).message);
  expect(await keepTrying({ until: FOREVER, pauseMs: 0, failed }, work)).toBe(4);
  expect(failures).toEqual(['1', '2', '3']);
});

it('tries once more where what it began in time failed when that was over', async () => {
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
  ['it failed with what does not pass', { until: FOREVER, mayPass: () => false }],
])('fails as the work did where %s, and tells nobody', async (_, patience) => {
  const { work, tried } = failing(1);
  const failed = (): never => {
    throw new Error('was told');
  };
  await expect(keepTrying({ pauseMs: 0, failed, ...patience }, work)).rejects.toThrow('1');
  expect(tried()).toBe(1);
});
