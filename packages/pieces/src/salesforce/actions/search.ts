import { action, listAt, shortText } from '@drawbridge/piece-kit';
import { foundFields, limit, object } from '../properties.js';
import { toRecord } from '../records.js';
import { DATA } from '../version.js';

/**
 * Finds records of an object by words in any of their fields:
 * https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/resources_search_parameterized.htm
 */
export const search = action({
  displayName: 'Search',
  description: 'Finds records of an object by words in any of their fields.',
  category: 'read',
  props: {
    object,
    text: shortText('Text', { required: true, description: 'The words to find.', minLength: 2, maxLength: 200 }),
    fields: foundFields,
    limit,
  },
  run: async ({ http, input: { object: sobject, text, fields = ['Id', 'Name'], limit: count = 200 } }) => {
    const query = { q: text, sobject, [`${sobject}.fields`]: fields.join(','), [`${sobject}.limit`]: count };
    const found = await http.json({ method: 'GET', path: `${DATA}/parameterizedSearch`, query });
    return listAt(found, 'searchRecords').map(toRecord);
  },
});
