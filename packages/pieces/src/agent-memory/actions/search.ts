import { shortText, statefulAction } from '@drawbridge/piece-kit';
import { DEFAULT_LIMIT, paging, toPage } from '../../listing.js';
import { toMemory } from '../properties.js';

export const search = statefulAction({
  displayName: 'Search',
  description: 'Finds memories that contain all the words, newest first. Returns all memories without words.',
  category: 'read',
  props: {
    query: shortText('Query', {
      description: 'Words to find, separated by spaces. Only whole words match.',
      minLength: 1,
      maxLength: 500,
    }),
    ...paging,
  },
  run: async ({ input: { query: words, cursor: after, limit = DEFAULT_LIMIT }, state }) =>
    toPage(await state.list({ words, after, limit, order: 'newest', values: true }), toMemory),
});
