import { multiSelect, trigger } from '@drawbridge/piece-kit';
import { EVENT_TYPES } from '../event-types.js';
import { endpoint, sample } from './endpoint.js';

/** Runs when one of the selected Stripe events occurs: https://docs.stripe.com/api/events/types */
export const event = trigger({
  kind: 'webhook',
  displayName: 'Event',
  description: 'Runs on the selected Stripe events, such as a payment, a subscription or a refund.',
  props: {
    events: multiSelect('Events', {
      required: true,
      description: 'Event types: ["invoice.paid"].',
      options: async () => EVENT_TYPES.map((type) => ({ label: type, value: type })),
    }),
  },
  sample: sample('invoice.paid', { id: 'in_1NG8Du2eZvKYlo2C', object: 'invoice', amount_paid: 1250, currency: 'eur' }),
  ...endpoint<{ events: string[] }>(({ events }) => events),
});
