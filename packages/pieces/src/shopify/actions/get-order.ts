import { action, InputError, member } from '@drawbridge/piece-kit';
import { GET_ORDER } from '../documents.js';
import { order } from '../properties.js';
import { toOrder } from '../records.js';
import { request, toGid } from '../requests.js';

/** Returns an order with its lines: https://shopify.dev/docs/api/admin-graphql/latest/queries/order */
export const getOrder = action({
  displayName: 'Get order',
  description: 'Reads an order: its status, total, customer and lines.',
  category: 'read',
  props: { order_id: order },
  run: async ({ http, input: { order_id } }) => {
    const found = member(await http.json(request(GET_ORDER, { id: toGid('Order', order_id) })), 'data', 'order');
    // Shopify returns no error for an id that does not exist.
    if (!found) throw new InputError('order_id', 'is not the id of an order of this shop');
    return toOrder(found);
  },
});
