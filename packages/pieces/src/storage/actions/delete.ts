import { statefulAction } from '@drawbridge/piece-kit';
import { path } from '../properties.js';

export const deleteFile = statefulAction({
  displayName: 'Delete file',
  description: 'Deletes the file at a path, and returns whether there was one.',
  category: 'delete',
  idempotent: true,
  props: { path },
  run: async ({ input, state }) => ({ path: input.path, deleted: await state.delete(input.path) }),
});
