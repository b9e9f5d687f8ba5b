import { action, collect } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { cursorPages, pagePath } from '../pages.js';
import { limit, page, PAGE } from '../properties.js';

/** Lists the pages directly below a page: https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-children/#api-pages-id-children-get */
export const listChildren = action({
  displayName: 'List child pages',
  description: 'Lists the pages directly below a page.',
  category: 'read',
  props: { page, limit },
  run: async ({ http, input: { page: id, limit: count = 25 } }) => {
    const request = {
      method: 'GET',
      path: pagePath(id, '/children'),
      query: { limit: Math.min(count, PAGE) },
    } as const;
    const children = await collect(http.pages(request, count, cursorPages));
    return children.map((child) => pickFields(child, same('id', 'title', 'status', 'spaceId')));
  },
});
