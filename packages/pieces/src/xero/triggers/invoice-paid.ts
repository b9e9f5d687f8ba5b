import { type JsonValue, newSince, textAt, trigger } from '@drawbridge/piece-kit';
import { ACCOUNTING, numberedPages, toInvoice, toTime, updatedAt } from '../records.js';
import { ofApp } from './records-of-app.js';

/** Maximum number of invoices that one poll reads. */
const MAX_PAID = 5_000;
/**
 * Maximum time between the date of the last payment and the last change of an invoice. Users enter a payment after its date, often at the end of the
 * month. A change after this time is not the payment. Delivered ids are stored for longer, 37 days.
 */
const MAX_DELAY_MS = 32 * 86_400_000;

/**
 * A notification does not state the change, so paid invoices are listed:
 * https://developer.xero.com/documentation/api/accounting/invoices#get-invoices
 */
export const invoicePaid = trigger({
  kind: 'app-webhook',
  displayName: 'Invoice paid',
  description: 'Runs once when an invoice to a customer is paid in full.',
  props: {},
  sample: {
    InvoiceID: '220ddca8-3144-4085-9a88-2d72c5133734',
    InvoiceNumber: 'INV-0001',
    Type: 'ACCREC',
    Status: 'PAID',
    Total: 120.5,
    AmountDue: 0,
    AmountPaid: 120.5,
    CurrencyCode: 'EUR',
    ContactID: '717f2bfc-c6d4-41fd-b238-3f2f0c0cf777',
    ContactName: 'Acme',
    FullyPaidOnDate: '2026-01-31T00:00:00.000Z',
    UpdatedDateUTC: '2026-01-31T09:00:00.000Z',
  },
  ...ofApp,
  poll: newSince({
    list: ({ http }, since) => {
      const query = { where: 'Type=="ACCREC"', Statuses: 'PAID', order: 'UpdatedDateUTC DESC', page: 1 };
      const headers = since && { 'if-modified-since': since.toISOString().slice(0, 19) };
      const request = { method: 'GET', path: `${ACCOUNTING}/Invoices`, query, ...(headers && { headers }) } as const;
      return http.pages(request, MAX_PAID, numberedPages('Invoices'));
    },
    time: updatedAt,
    id: (invoice) => textAt(invoice, 'InvoiceID'),
    data: (invoice) => (isJustPaid(invoice) ? toInvoice(invoice) : undefined),
  }),
});

/** Returns whether the last change of a paid invoice can be its payment. The list also contains invoices that were changed after they were paid. */
function isJustPaid(invoice: JsonValue): boolean {
  const [paidOn, changedAt] = [toTime(textAt(invoice, 'FullyPaidOnDate')), updatedAt(invoice)];
  return !paidOn || !changedAt || Date.parse(changedAt) - Date.parse(paidOn) <= MAX_DELAY_MS;
}
