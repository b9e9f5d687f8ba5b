import { statefulAction } from '@drawbridge/piece-kit';
import { key } from '../properties.js';

export const deleteKey = statefulAction({
  displayName: 'Delete',
  description: 'Deletes a key and its value, and returns whether there was one.',
  category: 'delete',
  idempotent: true,
  props: { key },
  run: async ({ input, state }) => ({ key: input.key, deleted: await state.delete(input.key) }),
});
