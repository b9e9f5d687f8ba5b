import { shortText, statefulAction } from '@drawbridge/piece-kit';
import { DEFAULT_LIMIT, paging, toPage } from '../../listing.js';

export const list = statefulAction({
  displayName: 'List',
  description: 'Lists keys in alphabetical order.',
  category: 'read',
  props: {
    prefix: shortText('Prefix', { description: 'Only keys that begin with this text, such as user:.', maxLength: 255 }),
    ...paging,
  },
  run: async ({ input: { prefix, cursor: after, limit = DEFAULT_LIMIT }, state }) => {
    const page = await state.list({ prefix, after, limit, order: 'key', values: false });
    return toPage(page, ({ key, createdAt, expiresAt }) => ({ key, createdAt, expiresAt }));
  },
});
