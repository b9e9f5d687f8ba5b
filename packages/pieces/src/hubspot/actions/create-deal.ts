import { action } from '@drawbridge/piece-kit';
import { dealFields, dealname } from '../deal.js';
import { createRecord, valuesOf } from '../records.js';

/** https://developers.hubspot.com/docs/reference/api/crm/objects/deals */
export const createDeal = action({
  displayName: 'Create deal',
  description: 'Creates a deal and returns its id.',
  category: 'write',
  adds: true,
  props: { dealname: dealname(true), ...dealFields },
  run: ({ http, input }) => createRecord(http, 'deals', valuesOf(input)),
});
