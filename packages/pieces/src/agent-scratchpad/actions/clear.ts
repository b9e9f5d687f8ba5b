import { statefulAction } from '@drawbridge/piece-kit';

export const clear = statefulAction({
  displayName: 'Clear',
  description: 'Deletes all notes of the scratchpad, and returns how many there were.',
  category: 'delete',
  idempotent: true,
  props: {},
  run: async ({ state }) => ({ cleared: await state.clear() }),
});
