import { InputError, statefulAction } from '@drawbridge/piece-kit';
import { path } from '../properties.js';

export const get = statefulAction({
  displayName: 'Get file',
  description: 'Returns the file at a path.',
  category: 'read',
  props: { path },
  run: async ({ input, state }) => {
    const entry = await state.get(input.path);
    if (!entry) throw new InputError('path', 'has no file');
    const { filename = '', mimeType = '' } = entry.note;
    return { filename, mimeType, base64: entry.value ?? '' };
  },
});
