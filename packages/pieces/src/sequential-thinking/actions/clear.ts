import { statefulAction } from '@drawbridge/piece-kit';

export const clear = statefulAction({
  displayName: 'Clear',
  description: 'Deletes all thoughts and branches.',
  category: 'delete',
  idempotent: true,
  props: {},
  run: async ({ state }) => {
    await state.clear();
    return { cleared: true };
  },
});
