import { statefulAction } from '@drawbridge/piece-kit';

export const clear = statefulAction({
  displayName: 'Clear',
  description: 'Removes all notes.',
  category: 'delete',
  idempotent: true,
  props: {},
  run: async ({ state }) => ({ cleared: await state.clear() }),
});
