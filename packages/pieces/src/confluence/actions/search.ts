import { action, collect, type JsonValue, longText } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { cursorPages, V1 } from '../pages.js';
import { limit, PAGE } from '../properties.js';

const FOUND = {
  ...same('title', 'excerpt', 'url', 'lastModified'),
  ...{ id: 'content.id', type: 'content.type', space: 'resultGlobalContainer.title' },
};

/**
 * Finds pages and other content with a CQL query:
 * https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-search/#api-wiki-rest-api-search-get
 */
export const search = action({
  displayName: 'Search',
  description: 'Finds pages and other content by a query in CQL, such as: type = page AND text ~ "refund".',
  category: 'read',
  props: {
    cql: longText('CQL', {
      required: true,
      description: 'Such as space = ENG AND type = page AND title ~ "release".',
      minLength: 1,
      maxLength: 4_000,
    }),
    limit,
  },
  run: async ({ http, input: { cql, limit: count = 25 } }) => {
    const request = { method: 'GET', path: `${V1}/search`, query: { cql, limit: Math.min(count, PAGE) } } as const;
    const found = await collect(http.pages(request, count, cursorPages));
    return found.map((one: JsonValue) => pickFields(one, FOUND));
  },
});
