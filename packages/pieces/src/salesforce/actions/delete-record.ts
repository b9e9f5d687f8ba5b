import { action } from '@drawbridge/piece-kit';
import { object, record } from '../properties.js';

/** Moves a record to the recycle bin: https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/dome_delete_record.htm */
export const deleteRecord = action({
  displayName: 'Delete record',
  description: 'Moves a record to the recycle bin.',
  category: 'delete',
  props: { object, id: record },
  call: { method: 'DELETE', path: '/services/data/v66.0/sobjects/{object}/{id}' },
});
