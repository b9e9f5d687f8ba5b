import { statefulAction } from '@drawbridge/piece-kit';
import { DEFAULT_LIMIT, paging, toPage } from '../../listing.js';
import { toNote } from '../to-note.js';

export const read = statefulAction({
  displayName: 'Read',
  description: 'Lists the notes of the scratchpad, oldest first.',
  category: 'read',
  props: paging,
  run: async ({ input: { cursor: after, limit = DEFAULT_LIMIT }, state }) =>
    toPage(await state.list({ after, limit, order: 'oldest', values: true }), toNote),
});
