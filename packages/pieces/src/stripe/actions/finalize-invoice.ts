import { action, checkbox, expandPath } from '@drawbridge/piece-kit';
import { invoice } from '../properties.js';

/** https://docs.stripe.com/api/invoices/finalize */
export const finalizeInvoice = action({
  displayName: 'Finalize invoice',
  description: 'Makes a draft invoice final, so that it can be paid or sent. Its items cannot be changed afterwards.',
  category: 'payment',
  props: {
    invoice,
    auto_advance: checkbox('Auto-advance', { description: 'Collects the payment automatically.' }),
  },
  run: ({ http, input: { invoice: id, ...form } }) =>
    http.json({ method: 'POST', path: expandPath('/v1/invoices/{id}/finalize', { id }), form }),
});
