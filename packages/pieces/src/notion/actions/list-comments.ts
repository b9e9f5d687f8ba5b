import { action, collect, dropdown } from '@drawbridge/piece-kit';
import { toComment } from '../answers.js';
import { pages } from '../options.js';
import { QUERY } from '../paging.js';
import { limit } from '../properties.js';

/** Lists the open comments on a page or a block: https://developers.notion.com/reference/list-comments */
export const listComments = action({
  displayName: 'List comments',
  description:
    'Lists the open comments on a page or a block, the oldest first. The connection needs the capability to read comments.',
  category: 'read',
  props: {
    block_id: dropdown('Page', {
      required: true,
      description: 'The id of a page or block. A page excludes the comments on its blocks.',
      options: pages,
    }),
    limit,
  },
  run: async ({ http, input: { block_id, limit: count = 100 } }) => {
    const query = { block_id, page_size: Math.min(count, 100) };
    return (await collect(http.pages({ method: 'GET', path: '/v1/comments', query }, count, QUERY))).map(toComment);
  },
});
