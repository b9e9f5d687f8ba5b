import { action, collect, dropdown, expandPath } from '@drawbridge/piece-kit';
import { toShortBlock } from '../answers.js';
import { pages } from '../options.js';
import { QUERY } from '../paging.js';
import { limit } from '../properties.js';

/** Lists the blocks in a page or in a block: https://developers.notion.com/reference/get-block-children */
export const getBlockChildren = action({
  displayName: 'List blocks',
  description: 'Lists the blocks of a page, or those within a block, with their ids, types and texts.',
  category: 'read',
  props: {
    block_id: dropdown('Page', { required: true, description: 'The id of a page or of a block.', options: pages }),
    limit,
  },
  run: async ({ http, input: { block_id, limit: count = 100 } }) => {
    const path = expandPath('/v1/blocks/{block_id}/children', { block_id });
    const query = { page_size: Math.min(count, 100) };
    return (await collect(http.pages({ method: 'GET', path, query }, count, QUERY))).map(toShortBlock);
  },
});
