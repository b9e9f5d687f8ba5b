import { dropdown, trigger } from '@drawbridge/piece-kit';
import { stages } from '../options.js';
import { changes, inbound } from './inbound.js';

/** Runs when a deal moves to another stage: https://developers.hubspot.com/docs/api-reference/webhooks-webhooks-v3/guide */
export const dealStageChanged = trigger({
  ...inbound,
  displayName: 'Deal stage changed',
  description:
    'Runs when a deal moves to another stage. The event has the deal as "objectId" and the stage as "propertyValue". The app must subscribe to ' +
    'deal.propertyChange of dealstage.',
  props: {
    stage: dropdown('Stage', {
      description: 'The id of a stage. Defaults to all stages.',
      maxLength: 100,
      options: stages,
    }),
  },
  sample: {
    ...{ eventId: 101, subscriptionId: 334, portalId: 62515, appId: 1160452, occurredAt: 1_769_850_000_000 },
    ...{ subscriptionType: 'deal.propertyChange', attemptNumber: 0, objectId: 9001, changeSource: 'CRM_UI' },
    ...{ propertyName: 'dealstage', propertyValue: 'closedwon' },
  },
  events: (request, { stage }, portalId) =>
    changes(request, portalId, { names: ['deal.propertyChange', 'object.propertyChange'], objectTypeId: '0-3' }).filter(
      ({ data }) => data['propertyName'] === 'dealstage' && (!stage || data['propertyValue'] === stage),
    ),
});
