import { statefulAction } from '@drawbridge/piece-kit';
import { key } from '../properties.js';

export const get = statefulAction({
  displayName: 'Get',
  description: 'Returns the value of a key.',
  category: 'read',
  props: { key },
  run: async ({ input, state }) => {
    const entry = await state.get(input.key);
    return { found: entry !== undefined, value: entry?.value ?? null, expiresAt: entry?.expiresAt ?? null };
  },
});
