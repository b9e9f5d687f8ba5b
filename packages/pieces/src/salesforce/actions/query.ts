import { action, collect, longText } from '@drawbridge/piece-kit';
import { limit } from '../properties.js';
import { toRecord } from '../records.js';
import { DATA } from '../version.js';

const LIMIT = 200;

/** Runs a SOQL query: https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/dome_query.htm */
export const query = action({
  displayName: 'Query',
  description: 'Runs a query in SOQL and returns the records.',
  category: 'read',
  props: {
    soql: longText('Query', {
      required: true,
      description:
        "Such as SELECT Id, Name FROM Account WHERE Industry = 'Energy' ORDER BY Name. Count with COUNT(Id).",
      minLength: 1,
      maxLength: 10_000,
    }),
    limit,
  },
  run: async ({ http, input: { soql, limit: count = LIMIT } }) => {
    const pages = http.pages({ method: 'GET', path: `${DATA}/query`, query: { q: soql } }, count);
    return (await collect(pages)).map(toRecord);
  },
});
