import { action, shortText } from '@drawbridge/piece-kit';
import { dealFields, recordId } from '../properties.js';
import { updateRecord } from '../records.js';

/** Changes properties of a deal: https://developers.hubspot.com/docs/api-reference/crm-deals-v3/guide#update-deals */
export const updateDeal = action({
  displayName: 'Update deal',
  description: 'Changes the given properties of a deal, such as its stage, and returns it.',
  category: 'write',
  idempotent: true,
  props: {
    deal_id: recordId('Deal', 'The id of a deal, a number.'),
    dealname: shortText('Name', { description: 'The name of the deal.', minLength: 1, maxLength: 65_536 }),
    ...dealFields,
  },
  run: ({ http, input: { deal_id: id, ...values } }) => updateRecord(http, { object: 'deals', id }, values),
});
