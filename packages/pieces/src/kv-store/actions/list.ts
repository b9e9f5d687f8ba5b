import { shortText, statefulAction } from '@drawbridge/piece-kit';
import { DEFAULT_LIMIT, paging, toPage } from '../../listing.js';

export const list = statefulAction({
  displayName: 'List',
  description: 'The keys that there are, in their order.',
  category: 'read',
  props: { prefix: shortText('Prefix', { description: 'Of the keys.', maxLength: 255 }), ...paging },
  run: async ({ input: { prefix, cursor: after, limit = DEFAULT_LIMIT }, state }) => {
    const page = await state.list({ prefix, after, limit, order: 'key', values: false });
    return toPage(page, ({ key, createdAt, expiresAt }) => ({ key, createdAt, expiresAt }));
  },
});
