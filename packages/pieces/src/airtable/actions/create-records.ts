import { action, listAt } from '@drawbridge/piece-kit';
import { manyRecords, place, typecast } from '../properties.js';
import { writeRecords } from '../records.js';

/** Adds up to 100 records to a table, with 10 records per request: https://airtable.com/developers/web/api/create-records */
export const createRecords = action({
  displayName: 'Create records',
  description: 'Adds up to 100 records to a table, 10 per request, and returns them in the same order.',
  category: 'write',
  adds: true,
  props: { ...place, records: manyRecords, typecast },
  run: async ({ http, input: { records, typecast: convert, ...of } }) => {
    const body = { ...(convert !== undefined && { typecast: convert }) };
    const responses = await writeRecords(http, of, { method: 'POST', body, records });
    return responses.flatMap((response) => listAt(response, 'records'));
  },
});
