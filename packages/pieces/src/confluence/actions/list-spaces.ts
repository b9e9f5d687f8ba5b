import { action, collect, staticDropdown } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { cursorPages, V2 } from '../pages.js';
import { limit, PAGE } from '../properties.js';

/** Lists the spaces that the connection can see: https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-space/#api-spaces-get */
export const listSpaces = action({
  displayName: 'List spaces',
  description: 'Lists the spaces that the connection can see.',
  category: 'read',
  props: {
    type: staticDropdown('Type', ['global', 'personal', 'collaboration', 'knowledge_base'], {
      description: 'Only spaces of this type.',
    }),
    limit,
  },
  run: async ({ http, input: { type, limit: count = 25 } }) => {
    const request = { method: 'GET', path: `${V2}/spaces`, query: { type, limit: Math.min(count, PAGE) } } as const;
    const spaces = await collect(http.pages(request, count, cursorPages));
    return spaces.map((space) => pickFields(space, same('id', 'key', 'name', 'type', 'homepageId')));
  },
});
