import { ApiError } from '@drawbridge/contracts';
import { type Network } from '@drawbridge/rpc';
import { planLimits } from './plan-limits.js';

/** Returns the plan limits with a members service that implements only getLimits. */
const limitsOf = (getLimits: () => Promise<object>) =>
  planLimits({ client: () => ({ getLimits }) } as unknown as Network);

it.each<[string, object | undefined, number]>([
  ['what the plan says', { callbacksPerTrigger: 3 }, 3],
  ['at most those of one trigger, for any plan', { callbacksPerTrigger: 1_000 }, 50],
  ['the same where the plan has no limit', {}, 50],
])('allows of the callbacks of a trigger %s', async (_what, limits, most) => {
  expect(await limitsOf(async () => ({ limits })).findMost('o')).toBe(most);
});

it('allows the default while members is away, and does not guess how often may be polled', async () => {
  const { findMost, findMinimum } = limitsOf(() => Promise.reject(new ApiError('UNAVAILABLE', 'away')));
  expect(await findMost('o')).toBe(10);
  await expect(findMinimum('o')).rejects.toThrow('away');
});
