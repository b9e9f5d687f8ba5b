import { newInvoice } from '../new-invoice.js';

/** Records a bill of a supplier: https://developer.xero.com/documentation/api/accounting/invoices#put-invoices */
export const createBill = newInvoice({
  displayName: 'Create bill',
  description: 'Records a bill of a supplier and returns it with its total.',
  type: 'ACCPAY',
});
