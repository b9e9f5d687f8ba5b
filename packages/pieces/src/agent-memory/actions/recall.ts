import { statefulAction } from '@drawbridge/piece-kit';
import { memory, toMemory } from '../properties.js';

export const recall = statefulAction({
  displayName: 'Recall',
  description: 'Returns one memory by its exact name. Use Search if the name is unknown.',
  category: 'read',
  props: { name: memory },
  run: async ({ input, state }) => {
    const entry = await state.get(input.name);
    return { found: entry !== undefined, memory: entry ? toMemory(entry) : null };
  },
});
