import { statefulAction } from '@drawbridge/piece-kit';
import { memory, toMemory } from '../properties.js';

export const recall = statefulAction({
  displayName: 'Recall',
  description: 'What is remembered under a name.',
  category: 'read',
  props: { name: memory },
  run: async ({ input, state }) => {
    const entry = await state.get(input.name);
    return { found: entry !== undefined, memory: entry ? toMemory(entry) : null };
  },
});
