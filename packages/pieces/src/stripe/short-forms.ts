import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';

const COMMON = ['id', 'status', 'currency', 'customer', 'description', 'created', 'metadata'];

const PAYMENT = same(
  ...COMMON,
  'amount',
  'amount_received',
  'payment_method',
  'receipt_email',
  'latest_charge',
  'invoice',
);
const INVOICE = same(
  ...COMMON,
  ...['number', 'customer_email', 'total', 'amount_due', 'amount_paid', 'amount_remaining', 'due_date'],
  ...['hosted_invoice_url', 'invoice_pdf', 'subscription', 'collection_method'],
);

/** Items of lists have the fields that people need. "Get payment" returns all. */
export const toPayment = (payment: JsonValue): JsonObject => pickFields(payment, PAYMENT);
export const toInvoice = (invoice: JsonValue): JsonObject => pickFields(invoice, INVOICE);
