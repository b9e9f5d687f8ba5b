import { action, expandPath } from '@drawbridge/piece-kit';
import { invoiceId } from '../properties.js';
import { ACCOUNTING } from '../records.js';

/**
 * Emails an invoice to the addresses of the contact, which Xero selects:
 * https://developer.xero.com/documentation/api/accounting/invoices#emailing-an-invoice
 */
export const sendInvoice = action({
  displayName: 'Send invoice',
  description: 'Sends an authorised invoice by email to the addresses of its contact.',
  category: 'send',
  recipients: ['invoice_id'],
  props: { invoice_id: invoiceId },
  run: async ({ http, input }) => {
    const path = expandPath(`${ACCOUNTING}/Invoices/{invoice_id}/Email`, input);
    await http.request({ method: 'POST', path, json: {} });
  },
});
