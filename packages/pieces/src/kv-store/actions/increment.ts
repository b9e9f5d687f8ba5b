import { InputError, number, statefulAction } from '@drawbridge/piece-kit';
import { key, ttlSeconds } from '../properties.js';

export const increment = statefulAction({
  displayName: 'Increment',
  description:
    'Adds to the number stored under a key and returns the sum. A missing key counts as 0. Concurrent calls are all counted.',
  category: 'write',
  props: {
    key,
    by: number('By', { description: 'Negative amounts subtract. Defaults to 1.' }),
    ttlSeconds,
  },
  run: async ({ input: { key: at, by = 1, ttlSeconds: inSeconds }, state }) => {
    const { value, expiresAt } = await state.update(at, (old) => ({
      value: sum(old?.value ?? 0, by),
      expires: inSeconds === undefined ? 'keep' : { inSeconds },
    }));
    return { key: at, value: value ?? 0, expiresAt };
  },
});

function sum(old: unknown, by: number): number {
  if (typeof old !== 'number') throw new InputError('key', 'holds a value that is not a number');
  if (Number.isFinite(old + by)) return old + by;
  throw new InputError('by', 'makes the value larger than a number can be');
}
