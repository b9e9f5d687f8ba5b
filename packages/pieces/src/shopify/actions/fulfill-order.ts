import {
  action,
  checkbox,
  InputError,
  type JsonObject,
  type JsonValue,
  listAt,
  member,
  shortText,
  textAt,
} from '@drawbridge/piece-kit';
import { FULFILL, FULFILLMENT_ORDERS } from '../documents.js';
import { order } from '../properties.js';
import { mutate, request, toGid } from '../requests.js';

/** Shopify fulfills neither items on hold nor items that are scheduled for a later date. */
const OPEN = new Set(['OPEN', 'IN_PROGRESS']);
const TEXT = { maxLength: 255 } as const;

/** Fulfills all items of an order that are not yet fulfilled: https://shopify.dev/docs/api/admin-graphql/latest/mutations/fulfillmentCreate */
export const fulfillOrder = action({
  displayName: 'Fulfill order',
  description:
    'Marks everything of an order that is not sent yet as sent, except what is on hold or scheduled. Returns one fulfillment for each location.',
  category: 'send',
  recipients: ['order_id'],
  props: {
    order_id: order,
    tracking_number: shortText('Tracking number', { ...TEXT, description: 'The number of the parcel.' }),
    tracking_company: shortText('Carrier', { ...TEXT, description: 'The carrier, such as DHL Express.' }),
    tracking_url: shortText('Tracking URL', {
      ...TEXT,
      description: 'A page about the parcel.',
      pattern: '^https?://',
    }),
    notify_customer: checkbox('Notify', { description: 'Emails the customer. Defaults to false.' }),
  },
  run: async ({
    http,
    input: { order_id, tracking_number, tracking_company, tracking_url, notify_customer = false },
  }) => {
    const answer = await http.json(request(FULFILLMENT_ORDERS, { id: toGid('Order', order_id) }));
    const open = listAt(answer, 'data', 'order', 'fulfillmentOrders', 'nodes').filter((one) =>
      OPEN.has(textAt(one, 'status') ?? ''),
    );
    if (open.length === 0) throw new InputError('order_id', 'has nothing that is not sent yet');
    const tracking = {
      ...(tracking_number && { number: tracking_number }),
      ...(tracking_company && { company: tracking_company }),
      ...(tracking_url && { url: tracking_url }),
    };
    const fulfillments: JsonValue[] = [];
    for (const lineItemsByFulfillmentOrder of byLocation(open)) {
      const fulfillment = {
        notifyCustomer: notify_customer,
        ...(Object.keys(tracking).length > 0 && { trackingInfo: tracking }),
        lineItemsByFulfillmentOrder,
      };
      fulfillments.push(member(await mutate(http, FULFILL, { fulfillment }), 'fulfillment') ?? {});
    }
    return fulfillments;
  },
});

/** Groups the open parts of an order by location, because a fulfillment has one location. */
function byLocation(open: readonly JsonValue[]): JsonObject[][] {
  const groups = new Map<string, JsonObject[]>();
  for (const one of open) {
    const place = textAt(one, 'assignedLocation', 'location', 'id') ?? textAt(one, 'assignedLocation', 'name') ?? '';
    groups.set(place, [...(groups.get(place) ?? []), { fulfillmentOrderId: textAt(one, 'id') ?? '' }]);
  }
  return [...groups.values()];
}
