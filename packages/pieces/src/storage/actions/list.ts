import { shortText, statefulAction } from '@drawbridge/piece-kit';
import { DEFAULT_LIMIT, paging, toPage } from '../../listing.js';

export const list = statefulAction({
  displayName: 'List files',
  description: 'Lists files by path, without their content.',
  category: 'read',
  props: {
    prefix: shortText('Prefix', {
      description: 'Only paths that begin with this text, such as reports/.',
      maxLength: 500,
    }),
    ...paging,
  },
  run: async ({ input: { prefix, cursor: after, limit = DEFAULT_LIMIT }, state }) => {
    const page = await state.list({ prefix, after, limit, order: 'key', values: false });
    return toPage(page, ({ key, note, createdAt }) => ({ path: key, ...note, createdAt }));
  },
});
