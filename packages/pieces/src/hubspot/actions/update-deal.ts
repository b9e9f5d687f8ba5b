import { action } from '@drawbridge/piece-kit';
import { dealFields, dealname } from '../deal.js';
import { recordId } from '../properties.js';
import { updateRecord, valuesOf } from '../records.js';

/** https://developers.hubspot.com/docs/reference/api/crm/objects/deals */
export const updateDeal = action({
  displayName: 'Update deal',
  description: 'Changes a deal, for example its stage or amount.',
  category: 'write',
  idempotent: true,
  props: { deal_id: recordId, dealname: dealname(false), ...dealFields },
  run: ({ http, input: { deal_id, ...values } }) => updateRecord(http, ['deals', deal_id], valuesOf(values)),
});
