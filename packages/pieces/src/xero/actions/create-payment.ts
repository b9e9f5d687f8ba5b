import { action, dropdown, number, shortText } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { paymentAccounts } from '../options.js';
import { invoiceId, UUID } from '../properties.js';
import { ACCOUNTING, onlyOf } from '../records.js';

const PAYMENT = { ...same('PaymentID', 'Amount', 'Status', 'PaymentType'), InvoiceID: 'Invoice.InvoiceID' };

/** Records a payment of an authorized invoice or bill: https://developer.xero.com/documentation/api/accounting/payments#post-payments */
export const createPayment = action({
  displayName: 'Create payment',
  description: 'Records a payment of an authorised invoice or bill, and returns it. It moves no money by itself.',
  category: 'payment',
  props: {
    invoice_id: invoiceId,
    amount: number('Amount', {
      required: true,
      description: 'In the currency of the invoice, such as 120.5.',
      minimum: 0.01,
    }),
    account_id: dropdown('Account', {
      required: true,
      description: 'AccountID of the account that the money came to or went from.',
      pattern: UUID,
      options: paymentAccounts,
    }),
    date: shortText('Date', {
      description: 'Defaults to today.',
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    }),
    reference: shortText('Reference', { description: 'A note, such as the number of a transfer.', maxLength: 255 }),
  },
  run: async ({ http, input: { invoice_id, amount, account_id, date, reference } }) => {
    const payment = {
      ...{ Invoice: { InvoiceID: invoice_id }, Account: { AccountID: account_id }, Amount: amount },
      ...(date && { Date: date }),
      ...(reference && { Reference: reference }),
    };
    const request = { method: 'POST', path: `${ACCOUNTING}/Payments`, json: payment } as const;
    return pickFields(onlyOf(await http.json(request), 'Payments'), PAYMENT);
  },
});
