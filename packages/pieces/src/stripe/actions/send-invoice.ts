import { action, dropdown, expandPath } from '@drawbridge/piece-kit';
import { INVOICE, shown } from '../answers.js';
import { openInvoices } from '../options.js';
import { INVOICE as ABOUT } from '../properties.js';

/** Emails an invoice to its customer: https://docs.stripe.com/api/invoices/send */
export const sendInvoice = action({
  displayName: 'Send invoice',
  description: 'Emails an invoice to its customer at once and returns the invoice. Stripe sends no email in test mode.',
  category: 'send',
  recipients: ['invoice'],
  props: { invoice: dropdown('Invoice', { required: true, ...ABOUT, options: openInvoices }) },
  run: async ({ http, input: { invoice } }) => {
    const path = expandPath('/v1/invoices/{invoice}/send', { invoice });
    return shown(await http.json({ method: 'POST', path }), INVOICE);
  },
});
