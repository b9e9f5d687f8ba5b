import { action } from '@drawbridge/piece-kit';
import { objectOf, recordId } from '../properties.js';

/**
 * Associates two records without a label:
 * https://developers.hubspot.com/docs/api-reference/crm-associations-v4/guide#associate-records-without-a-label
 */
export const associate = action({
  displayName: 'Associate records',
  description: 'Associates two records without a label, such as a contact with a company.',
  category: 'write',
  idempotent: true,
  adds: true,
  props: {
    from_object: objectOf('Object'),
    from_id: recordId('Record'),
    to_object: objectOf('Other object'),
    to_id: recordId('Other record'),
  },
  call: { method: 'PUT', path: '/crm/v4/objects/{from_object}/{from_id}/associations/default/{to_object}/{to_id}' },
});
