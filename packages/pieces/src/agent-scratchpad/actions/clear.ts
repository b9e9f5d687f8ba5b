import { statefulAction } from '@drawbridge/piece-kit';

export const clear = statefulAction({
  displayName: 'Clear',
  description: 'Deletes all notes of the scratchpad.',
  category: 'delete',
  idempotent: true,
  props: {},
  run: async ({ state }) => ({ cleared: await state.clear() }),
});
