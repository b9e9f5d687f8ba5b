import { newInvoice } from '../new-invoice.js';

/** Creates an invoice to a customer: https://developer.xero.com/documentation/api/accounting/invoices#put-invoices */
export const createInvoice = newInvoice({
  displayName: 'Create invoice',
  description: 'Creates an invoice to a customer and returns it with its total. It is not sent.',
  type: 'ACCREC',
});
