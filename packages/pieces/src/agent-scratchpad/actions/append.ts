import { longText, statefulAction } from '@drawbridge/piece-kit';
import { toNote } from '../to-note.js';

export const append = statefulAction({
  displayName: 'Append',
  description: 'Adds a note at the end of the scratchpad and returns it.',
  category: 'write',
  adds: true,
  props: { text: longText('Text', { required: true, minLength: 1, maxLength: 16_000 }) },
  run: async ({ input, state }) => toNote(await state.add({ value: input.text })),
});
