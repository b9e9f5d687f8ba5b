import { action, listAt, multiSelect } from '@drawbridge/piece-kit';
import { fieldsToReturn, manyRecords, place, typecast } from '../properties.js';
import { writeRecords } from '../records.js';

/**
 * Updates the records that match the given fields, and adds all other records:
 * https://airtable.com/developers/web/api/update-multiple-records#upserts
 */
export const upsertRecords = action({
  displayName: 'Create or update records',
  description:
    'Updates the records that match in the given fields, and adds the others. Returns all of them and the ids of both kinds.',
  category: 'write',
  idempotent: true,
  props: {
    ...place,
    fieldsToMergeOn: multiSelect('Match by', {
      ...fieldsToReturn,
      required: true,
      description: '1 to 3 fields that identify a record: ["Email"]. Several matches are an error.',
    }),
    records: manyRecords,
    typecast,
  },
  run: async ({ http, input: { records, fieldsToMergeOn, typecast: convert, ...of } }) => {
    const body = { performUpsert: { fieldsToMergeOn }, ...(convert !== undefined && { typecast: convert }) };
    const responses = await writeRecords(http, of, { method: 'PATCH', body, records });
    const all = (key: string) => responses.flatMap((response) => listAt(response, key));
    return {
      records: all('records'),
      createdRecords: all('createdRecords'),
      updatedRecords: all('updatedRecords'),
    };
  },
});
