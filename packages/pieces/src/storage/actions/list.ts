import { shortText, statefulAction } from '@drawbridge/piece-kit';
import { DEFAULT_LIMIT, paging, toPage } from '../../listing.js';

export const list = statefulAction({
  displayName: 'List files',
  description: 'The files that there are, in the order of their paths, without their content.',
  category: 'read',
  props: { prefix: shortText('Prefix', { description: 'Of the paths, such as reports/.', maxLength: 500 }), ...paging },
  run: async ({ input: { prefix, cursor: after, limit = DEFAULT_LIMIT }, state }) => {
    const page = await state.list({ prefix, after, limit, order: 'key', values: false });
    return toPage(page, ({ key, note, createdAt }) => ({ path: key, ...note, createdAt }));
  },
});
