import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { type Fields, pickFields, same } from '../pick-fields.js';

/** The fields of each object that outputs contain. A missing value is null: https://docs.stripe.com/api */
export const CUSTOMER: Fields = same(
  ...['id', 'name', 'email', 'phone', 'description', 'address', 'balance', 'currency', 'delinquent'],
  ...['preferred_locales', 'metadata', 'created', 'deleted'],
);

export const PAYMENT: Fields = {
  ...same('id', 'amount', 'amount_received', 'currency', 'status', 'customer', 'description', 'receipt_email'),
  ...same('payment_method', 'latest_charge', 'canceled_at', 'created', 'metadata'),
  failure: 'last_payment_error.message',
  failure_code: 'last_payment_error.code',
};

export const INVOICE: Fields = same(
  ...['id', 'number', 'status', 'customer', 'customer_email', 'currency', 'total', 'amount_due', 'amount_paid'],
  ...['amount_remaining', 'due_date', 'created', 'hosted_invoice_url', 'invoice_pdf', 'description', 'metadata'],
);

export const PRODUCT: Fields = same(
  ...['id', 'name', 'description', 'active', 'default_price', 'url', 'images', 'metadata', 'created'],
);

export const SUBSCRIPTION: Fields = {
  ...same('id', 'status', 'customer', 'currency', 'start_date', 'trial_end', 'cancel_at', 'cancel_at_period_end'),
  ...same('canceled_at', 'latest_invoice', 'description', 'metadata', 'created'),
  prices: 'items.data.*.price.id',
  quantities: 'items.data.*.quantity',
  period_ends: 'items.data.*.current_period_end',
};

export const PAYMENT_LINK: Fields = same('id', 'url', 'active', 'metadata');

/** Returns these fields of an object, or the whole object if `raw` is set. */
export function shown(object: JsonValue, fields: Fields, raw = false): JsonObject {
  return raw ? (object as JsonObject) : pickFields(object, fields);
}
