import { InputError, number, statefulAction } from '@drawbridge/piece-kit';
import { key, ttlSeconds } from '../properties.js';

export const increment = statefulAction({
  displayName: 'Increment',
  description: 'Adds to the number under a key, 0 where there is none. Of callers at the same time each is counted.',
  category: 'write',
  props: {
    key,
    by: number('By', { description: '1 if absent; negative takes away.' }),
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
  if (typeof old !== 'number') throw new InputError('key', 'has a value that is no number');
  if (Number.isFinite(old + by)) return old + by;
  throw new InputError('by', 'makes it larger than a number can be');
}
