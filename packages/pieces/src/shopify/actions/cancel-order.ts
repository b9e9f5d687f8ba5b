import { action, checkbox, member, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { CANCEL_ORDER } from '../documents.js';
import { order } from '../properties.js';
import { mutate, toGid } from '../requests.js';

/** Cancels an order, and optionally refunds it: https://shopify.dev/docs/api/admin-graphql/latest/mutations/orderCancel */
export const cancelOrder = action({
  displayName: 'Cancel order',
  description:
    'Cancels an order, with an optional refund of the whole payment. Returns a job; "Get order" says when it is done.',
  category: 'payment',
  props: {
    order_id: order,
    reason: staticDropdown('Reason', ['CUSTOMER', 'DECLINED', 'FRAUD', 'INVENTORY', 'STAFF', 'OTHER'], {
      required: true,
      description: 'Why it is cancelled.',
    }),
    refund: checkbox('Refund', { description: 'Pays the customer back. Defaults to false.' }),
    restock: checkbox('Restock', { description: 'Adds the products to the stock again. Defaults to false.' }),
    notify_customer: checkbox('Notify', { description: 'Emails the customer. Defaults to false.' }),
    note: shortText('Note', { description: 'A note for the staff.', maxLength: 255 }),
  },
  run: async ({
    http,
    input: { order_id, reason, refund = false, restock = false, notify_customer = false, note },
  }) => {
    const payload = await mutate(http, CANCEL_ORDER, {
      ...{ orderId: toGid('Order', order_id), reason, restock, notifyCustomer: notify_customer },
      ...(note && { staffNote: note }),
      refundMethod: { originalPaymentMethodsRefund: refund },
    });
    // Shopify cancels the order asynchronously. "Get order" returns its state.
    return { jobId: member(payload, 'job', 'id') ?? null };
  },
});
