import { action, collect, expandPath, json, shortText, tokenPaging } from '@drawbridge/piece-kit';
import { itemLimit } from '../../item-limit.js';
import { names, objectOf } from '../properties.js';
import { shownOf, toRecord } from '../records.js';

const PAGE = 100;
const SEARCHED = tokenPaging({ items: 'results', next: 'paging.next.after', param: 'after', in: 'json' });

const OPERATORS = [
  ...['EQ', 'NEQ', 'LT', 'LTE', 'GT', 'GTE', 'BETWEEN', 'IN', 'NOT_IN'],
  ...['HAS_PROPERTY', 'NOT_HAS_PROPERTY', 'CONTAINS_TOKEN', 'NOT_CONTAINS_TOKEN'],
];
const VALUE = { type: 'string', maxLength: 3_000 } as const;

/** Finds records of an object by text and by conditions: https://developers.hubspot.com/docs/api-reference/search/guide */
export const search = action({
  displayName: 'Search records',
  description:
    'Finds records of an object by text and by conditions. A new or changed record is found after a few seconds.',
  category: 'read',
  props: {
    object: objectOf('Object'),
    query: shortText('Text', {
      description: 'In the main properties, such as a name or an email address.',
      maxLength: 3_000,
    }),
    filters: json('Conditions', {
      description:
        'All must match: [{"propertyName": "lifecyclestage", "operator": "EQ", "value": "lead"}]. ' +
        'IN and NOT_IN take "values", BETWEEN "value" and "highValue". Times are in milliseconds since 1970.',
      schema: {
        type: 'array',
        maxItems: 6,
        items: {
          type: 'object',
          properties: {
            propertyName: { type: 'string', minLength: 1, maxLength: 100 },
            operator: { type: 'string', enum: OPERATORS },
            value: VALUE,
            highValue: VALUE,
            values: { type: 'array', maxItems: 100, items: VALUE },
          },
          required: ['propertyName', 'operator'],
          additionalProperties: false,
        },
      },
    }),
    sort: shortText('Sort', {
      description: 'A property; descending after a hyphen: "-createdate".',
      pattern: '^-?[a-z0-9_]{1,100}$',
    }),
    properties: names('Properties', 'Internal names of properties to return: ["email"]. Defaults to the most used.'),
    limit: itemLimit({ defaultsTo: 100, maximum: 1_000 }),
  },
  run: async ({ http, input: { object, query, filters, sort, properties = shownOf(object), limit = PAGE } }) => {
    const wanted = {
      ...(query && { query }),
      filterGroups: filters?.length ? [{ filters }] : [],
      sorts: sort ? [sort] : [],
      ...{ properties, limit: Math.min(limit, PAGE), after: '0' },
    };
    const path = expandPath('/crm/v3/objects/{object}/search', { object });
    return (await collect(http.pages({ method: 'POST', path, json: wanted }, limit, SEARCHED))).map(toRecord);
  },
});
