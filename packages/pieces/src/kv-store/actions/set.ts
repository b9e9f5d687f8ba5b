import { InputError, json, statefulAction } from '@drawbridge/piece-kit';
import { key, ttlSeconds } from '../properties.js';

const MAX_BYTES = 256 * 1024;

export const set = statefulAction({
  displayName: 'Set',
  description: 'Stores a value under a key, where it replaces an existing one. Returns when it expires.',
  category: 'write',
  idempotent: true,
  props: { key, value: json('Value', { required: true, description: 'Any JSON value up to 256 kB.' }), ttlSeconds },
  run: async ({ input: { key: at, value, ttlSeconds: inSeconds }, state }) => {
    if (Buffer.byteLength(JSON.stringify(value)) > MAX_BYTES) throw new InputError('value', 'is larger than 256 kB');
    const expires = inSeconds === undefined ? undefined : { inSeconds };
    const { expiresAt } = await state.update(at, () => ({ value, expires }));
    return { key: at, expiresAt };
  },
});
