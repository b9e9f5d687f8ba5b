import { ApiError } from '@drawbridge/contracts';
import { LostCall } from '@drawbridge/rpc';
import { runOnce } from './run-once.js';

const lost = (): LostCall => new LostCall('UNAVAILABLE', 'Lost', { mayHaveChanged: true });
const unknown = { code: 'ACTION_FAILED', details: { reason: 'outcome_unknown' } };

describe('a run that was handed over to a process that hangs', () => {
  afterEach(() => import.meta.jest.useRealTimers());

  it('is outcome_unknown once every process has hung for as long as a lease may last', async () => {
    const others = ['setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask', 'Date'] as const;
    import.meta.jest.useFakeTimers({ doNotFake: [...others] });
    const limits: number[] = [];
    const run = async ({ timeoutMs = 0 }): Promise<never> => {
      limits.push(timeoutMs);
      if (limits.length === 1) throw lost();
      import.meta.jest.advanceTimersByTime(timeoutMs);
      throw new ApiError('TIMEOUT', 'execution did not respond in time');
    };
    await expect(runOnce('key', run)).rejects.toMatchObject(unknown);
    expect(limits).toEqual([95_000, 20_000]);
  });

  it('is outcome_unknown at once without a key, and TIMEOUT where no process ever took it', async () => {
    await expect(runOnce(undefined, () => Promise.reject(lost()))).rejects.toMatchObject(unknown);
    const refused = new ApiError('TIMEOUT', 'execution did not respond in time');
    await expect(runOnce('key', () => Promise.reject(refused))).rejects.toBe(refused);
  });
});
