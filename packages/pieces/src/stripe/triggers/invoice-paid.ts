import { trigger } from '@drawbridge/piece-kit';
import { endpoint, sample } from './endpoint.js';

/** Runs when an invoice is paid, or marked as paid elsewhere: https://docs.stripe.com/api/events/types#event_types-invoice.paid */
export const invoicePaid = trigger({
  kind: 'webhook',
  displayName: 'Invoice paid',
  description: 'Runs when an invoice is paid, or marked as paid elsewhere. The event has the invoice as "data.object".',
  props: {},
  sample: sample('invoice.paid', {
    ...{ id: 'in_1NG8Du2eZvKYlo2C', object: 'invoice', number: 'A-0001', status: 'paid', amount_paid: 1250 },
    ...{ currency: 'eur', customer: 'cus_NffrFeUfNV2Hib' },
  }),
  ...endpoint<unknown>(() => ['invoice.paid']),
});
