import { longText, shortText, statefulAction } from '@drawbridge/piece-kit';
import { name, toMemory } from '../properties.js';

export const remember = statefulAction({
  displayName: 'Remember',
  description: 'Stores a memory for later sessions and returns its name. An existing name is overwritten.',
  category: 'write',
  props: {
    content: longText('Content', { required: true, minLength: 1, maxLength: 16_000 }),
    name: shortText('Name', { ...name, description: `${name.description} Defaults to a generated name.` }),
  },
  run: async ({ input: { content, name: given }, state }) => {
    const entry = { value: content, text: content };
    return toMemory(await (given === undefined ? state.add(entry) : state.update(given, () => entry)));
  },
});
