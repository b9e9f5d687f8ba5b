import { action, checkbox, dropdown, expandPath } from '@drawbridge/piece-kit';
import { INVOICE, shown } from '../answers.js';
import { draftInvoices } from '../options.js';
import { INVOICE as ABOUT } from '../properties.js';

/** Finalizes a draft invoice: https://docs.stripe.com/api/invoices/finalize */
export const finalizeInvoice = action({
  displayName: 'Finalize invoice',
  description:
    'Finalizes a draft invoice, which cannot be edited afterwards, and returns it with its number and hosted page.',
  category: 'payment',
  props: {
    invoice: dropdown('Invoice', { required: true, ...ABOUT, options: draftInvoices }),
    auto_advance: checkbox('Auto-advance', {
      description: 'Collects the invoice automatically. Defaults to its own setting.',
    }),
  },
  run: async ({ http, input: { invoice, ...form } }) => {
    const path = expandPath('/v1/invoices/{invoice}/finalize', { invoice });
    return shown(await http.json({ method: 'POST', path, form }), INVOICE);
  },
});
