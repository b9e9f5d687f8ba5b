import { statefulAction } from '@drawbridge/piece-kit';
import { memory } from '../properties.js';

export const forget = statefulAction({
  displayName: 'Forget',
  description: 'Deletes one memory by its name, and returns whether there was one.',
  category: 'delete',
  idempotent: true,
  props: { name: memory },
  run: async ({ input, state }) => ({ name: input.name, forgotten: await state.delete(input.name) }),
});
