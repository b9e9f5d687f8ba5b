import { action, checkbox, InputError, listAt, member, number, textAt } from '@drawbridge/piece-kit';
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
    const payments = listAt(await http.json(request(PAYMENTS, { id: orderId })), 'data', 'order', 'transactions');
    const payment = payments.find(isPayment);
    if (payment === undefined) throw new InputError('order_id', 'has no payment that can be paid back');
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

const isPayment = (one: Parameters<typeof textAt>[0]): boolean =>
  ['SALE', 'CAPTURE'].includes(textAt(one, 'kind') ?? '') && textAt(one, 'status') === 'SUCCESS';
