import { trigger } from '@drawbridge/piece-kit';
import { changes, inbound } from './inbound.js';

/** Runs when a contact is created: https://developers.hubspot.com/docs/api-reference/webhooks-webhooks-v3/guide */
export const contactCreated = trigger({
  ...inbound,
  displayName: 'Contact created',
  description:
    'Runs when a contact is created. The event has its id as "objectId". The app must subscribe to contact.creation.',
  props: {},
  sample: {
    ...{ eventId: 100, subscriptionId: 333, portalId: 62515, appId: 1160452, occurredAt: 1_769_850_000_000 },
    ...{
      subscriptionType: 'contact.creation',
      attemptNumber: 0,
      objectId: 151,
      changeSource: 'CRM_UI',
      changeFlag: 'NEW',
    },
  },
  events: (request, _input, portalId) =>
    changes(request, portalId, { names: ['contact.creation', 'object.creation'], objectTypeId: '0-1' }),
});
