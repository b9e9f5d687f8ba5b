import { action, collect, shortText } from '@drawbridge/piece-kit';
import { withoutAnnotations } from '../../microsoft.js';
import { limit } from '../properties.js';

const FIELDS = 'id,displayName,name,description,webUrl,lastModifiedDateTime';

/** Finds SharePoint sites by words of their names: https://learn.microsoft.com/graph/api/site-search */
export const listSites = action({
  displayName: 'List sites',
  description: 'Finds SharePoint sites by words of their names. Needs a work or school account.',
  category: 'read',
  props: {
    query: shortText('Query', { required: true, description: 'Words of the name.', minLength: 1, maxLength: 500 }),
    limit,
  },
  run: async ({ http, input: { query: search, limit: most = 25 } }) => {
    const request = { method: 'GET', path: '/v1.0/sites', query: { search, $select: FIELDS } };
    return (await collect(http.pages(request, most))).map(withoutAnnotations);
  },
});
