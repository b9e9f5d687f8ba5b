import { longText, shortText, statefulAction } from '@drawbridge/piece-kit';
import { name, toMemory } from '../properties.js';

export const remember = statefulAction({
  displayName: 'Remember',
  description: 'Keeps something, under a name in the place of what it had, or under a new one.',
  category: 'write',
  props: {
    content: longText('Content', { required: true, minLength: 1, maxLength: 16_000 }),
    name: shortText('Name', { ...name, description: `${name.description} A new one is made if absent.` }),
  },
  run: async ({ input: { content, name: given }, state }) => {
    const entry = { value: content, text: content };
    return toMemory(await (given === undefined ? state.add(entry) : state.update(given, () => entry)));
  },
});
