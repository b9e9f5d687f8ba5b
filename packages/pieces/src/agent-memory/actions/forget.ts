import { statefulAction } from '@drawbridge/piece-kit';
import { memory } from '../properties.js';

export const forget = statefulAction({
  displayName: 'Forget',
  description: 'Removes what is remembered under a name.',
  category: 'delete',
  idempotent: true,
  props: { name: memory },
  run: async ({ input, state }) => ({ name: input.name, forgotten: await state.delete(input.name) }),
});
