import { shortText, statefulAction } from '@drawbridge/piece-kit';
import { DEFAULT_LIMIT, paging, toPage } from '../../listing.js';
import { toMemory } from '../properties.js';

export const search = statefulAction({
  displayName: 'Search',
  description: 'What is remembered that has all the words, the newest first; everything without words.',
  category: 'read',
  props: { query: shortText('Query', { description: 'Whole words.', minLength: 1, maxLength: 500 }), ...paging },
  run: async ({ input: { query: words, cursor: after, limit = DEFAULT_LIMIT }, state }) =>
    toPage(await state.list({ words, after, limit, order: 'newest', values: true }), toMemory),
});
