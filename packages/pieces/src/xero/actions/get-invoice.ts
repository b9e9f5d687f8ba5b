import { action, expandPath } from '@drawbridge/piece-kit';
import { invoiceId } from '../properties.js';
import { ACCOUNTING, onlyOf, toInvoice } from '../records.js';

/** Returns an invoice or bill: https://developer.xero.com/documentation/api/accounting/invoices#get-invoices */
export const getInvoice = action({
  displayName: 'Get invoice',
  description: 'Reads an invoice or bill with its lines, its amounts and its status.',
  category: 'read',
  props: { invoice_id: invoiceId },
  run: async ({ http, input }) => {
    const path = expandPath(`${ACCOUNTING}/Invoices/{invoice_id}`, input);
    return toInvoice(onlyOf(await http.json({ method: 'GET', path }), 'Invoices'));
  },
});
