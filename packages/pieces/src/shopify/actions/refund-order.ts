import { action, checkbox, InputError, type JsonValue, listAt, member, number, textAt } from '@drawbridge/piece-kit';
import { PAYMENTS, REFUND } from '../documents.js';
import { note, order } from '../properties.js';
import { mutate, onlyOnce, request, toGid } from '../requests.js';

/** Refunds an order. A refund refers to the payment that it refunds: https://shopify.dev/docs/api/admin-graphql/latest/mutations/refundCreate */
export const refundOrder = action({
  displayName: 'Refund order',
  description: 'Pays an amount of an order back to the customer, by the way in which it was paid. Returns the refund.',
  category: 'payment',
  props: {
    order_id: order,
    amount: number('Amount', {
      required: true,
      description: 'In the currency of the shop, such as 12.5.',
      minimum: 0.001,
      maximum: 1_000_000_000,
    }),
    note,
    notify_customer: checkbox('Notify', { description: 'Emails the customer. Defaults to false.' }),
  },
  run: async ({ http, runId, input: { order_id, amount, note: text, notify_customer = false } }) => {
    const orderId = toGid('Order', order_id);
    const transactions = listAt(await http.json(request(PAYMENTS, { id: orderId })), 'data', 'order', 'transactions');
    const payment = paymentFor(transactions, amount);
    const transaction = {
      ...{ orderId, kind: 'REFUND', amount: toAmount(amount), parentId: textAt(payment, 'id') ?? '' },
      gateway: textAt(payment, 'gateway') ?? '',
    };
    const input = { orderId, notify: notify_customer, ...(text && { note: text }), transactions: [transaction] };
    return member(await mutate(http, REFUND, { input, ...onlyOnce(runId) }), 'refund') ?? {};
  },
});

/** Returns an amount with at least two decimals. It is never rounded, because some currencies have three decimals. */
function toAmount(amount: number): string {
  const [, decimals = ''] = String(amount).split('.');
  return amount.toFixed(Math.max(2, decimals.length));
}

/** The largest error of a sum of amounts. It is less than the smallest amount. */
const ROUNDING = 0.000_001;

/** Returns the first payment of which this amount is not yet refunded. Throws InputError if there is none. */
function paymentFor(transactions: readonly JsonValue[], amount: number): JsonValue {
  const payments = transactions.filter(isPayment);
  if (payments.length === 0) throw new InputError('order_id', 'has no payment that can be paid back');
  // Shopify decides about a single payment: the difference of refunds in another currency can be off by some cents.
  if (payments.length === 1) return payments[0]!;
  // A payment without an amount has NaN left, so it is not less. Shopify then decides.
  const found = payments.find((payment) => !(leftOf(payment, transactions) < amount - ROUNDING));
  if (found !== undefined) return found;
  const most = Math.max(...payments.map((payment) => leftOf(payment, transactions)));
  const message = `must be at most ${toAmount(Number(most.toFixed(3)))}, the most that one payment of the order has left`;
  throw new InputError('amount', message);
}

/** Returns the amount of a payment without its refunds, of which some may still be in progress. */
function leftOf(payment: JsonValue, transactions: readonly JsonValue[]): number {
  const refunds = transactions.filter(
    (one) => isRefund(one) && textAt(one, 'parentTransaction', 'id') === textAt(payment, 'id'),
  );
  return refunds.reduce<number>((left, refund) => left - amountOf(refund), amountOf(payment));
}

const amountOf = (one: JsonValue): number => Number(textAt(one, 'amountSet', 'shopMoney', 'amount'));

const isPayment = (one: JsonValue): boolean =>
  ['SALE', 'CAPTURE'].includes(textAt(one, 'kind') ?? '') && textAt(one, 'status') === 'SUCCESS';

const isRefund = (one: JsonValue): boolean =>
  textAt(one, 'kind') === 'REFUND' && ['SUCCESS', 'PENDING'].includes(textAt(one, 'status') ?? '');
