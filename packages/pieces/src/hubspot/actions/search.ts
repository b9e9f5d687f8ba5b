import { action, collect, json, shortText } from '@drawbridge/piece-kit';
import { limit, objectType } from '../properties.js';
import { objectPath, searchPages, toRecord } from '../records.js';

/** The largest page, and the most conditions, of a search. */
const PAGE = 100;
const NAME = { type: 'string', pattern: '^[a-z][a-z0-9_]{0,199}$' } as const;
/** https://developers.hubspot.com/docs/guides/api/crm/search#filter-search-results */
const OPERATORS =
  'BETWEEN CONTAINS_TOKEN EQ GT GTE HAS_PROPERTY IN LT LTE NEQ NOT_CONTAINS_TOKEN NOT_HAS_PROPERTY NOT_IN'.split(' ');
const VALUE = { type: 'string', maxLength: 3_000 } as const;

/** https://developers.hubspot.com/docs/guides/api/crm/search: new records are found after a few seconds. */
export const search = action({
  displayName: 'Search',
  description: 'Finds records by words, or by conditions on their properties, all of which must hold.',
  category: 'read',
  props: {
    object_type: objectType,
    query: shortText('Text', {
      description: 'Words of the default properties, such as names and emails.',
      maxLength: 3_000,
    }),
    filters: json('Conditions', {
      description:
        '[{"propertyName": "lifecyclestage", "operator": "EQ", "value": "lead"}]. Operators: EQ, NEQ, GT, LT, IN, ….',
      schema: {
        type: 'array',
        maxItems: 6,
        items: {
          type: 'object',
          required: ['propertyName', 'operator'],
          additionalProperties: false,
          properties: {
            propertyName: NAME,
            operator: { type: 'string', enum: OPERATORS },
            ...{ value: VALUE, highValue: VALUE, values: { type: 'array', maxItems: 100, items: VALUE } },
          },
        },
      },
    }),
    properties: json('Properties', {
      description: 'The properties to return: ["email", "phone"]. Absent: the default ones.',
      schema: { type: 'array', maxItems: 100, items: NAME },
    }),
    limit,
  },
  run: async ({ http, input: { object_type, query, filters = [], properties = [], limit: count = 20 } }) => {
    const body = {
      ...(query && { query }),
      filterGroups: filters.length > 0 ? [{ filters }] : [],
      ...{ sorts: [], properties, limit: Math.min(count, PAGE), after: '0' },
    };
    const request = { method: 'POST', path: objectPath(object_type, '/search'), json: body } as const;
    return (await collect(http.pages(request, count, searchPages))).map(toRecord);
  },
});
