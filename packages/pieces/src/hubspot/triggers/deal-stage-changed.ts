import { textAt, trigger } from '@drawbridge/piece-kit';
import { appEvents } from './app-events.js';

/** The app must subscribe to deal.propertyChange of dealstage. */
export const dealStageChanged = trigger({
  kind: 'app-webhook',
  displayName: 'Deal stage changed',
  description: 'Runs when a deal moves to another stage, with the id of the deal and of the stage.',
  props: {},
  sample: {
    objectId: '9087642',
    occurredAt: '2026-01-31T09:00:00.000Z',
    propertyName: 'dealstage',
    propertyValue: 'closedwon',
    changeSource: 'CRM_UI',
  },
  ...appEvents(
    (event) =>
      textAt(event, 'subscriptionType') === 'deal.propertyChange' && textAt(event, 'propertyName') === 'dealstage',
  ),
});
