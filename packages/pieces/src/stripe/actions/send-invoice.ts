import { action, expandPath } from '@drawbridge/piece-kit';
import { invoice } from '../properties.js';

/** https://docs.stripe.com/api/invoices/send: Stripe sends it to the address of the customer. */
export const sendInvoice = action({
  displayName: 'Send invoice',
  description: 'Sends an invoice to its customer by email. A draft is finalized first. Test keys send no email.',
  category: 'send',
  recipients: ['invoice'],
  props: { invoice },
  run: ({ http, input: { invoice: id } }) =>
    http.json({ method: 'POST', path: expandPath('/v1/invoices/{id}/send', { id }) }),
});
