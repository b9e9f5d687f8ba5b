import { action, checkbox, member, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { CREATE_ORDER } from '../documents.js';
import { lines, note, tags } from '../properties.js';
import { toOrder } from '../records.js';
import { mutate, toGid } from '../requests.js';

/** Creates an order of variants: https://shopify.dev/docs/api/admin-graphql/latest/mutations/orderCreate */
export const createOrder = action({
  displayName: 'Create order',
  description: 'Creates an order of variants and returns it with its total.',
  category: 'send',
  recipients: ['email'],
  props: {
    lines,
    email: shortText('Email', {
      description: 'The email address of the customer.',
      pattern: '^[^\\s@]+@[^\\s@]+$',
      maxLength: 254,
    }),
    customer_id: shortText('Customer', {
      description: 'The id of a customer, such as 207119551.',
      pattern: '^([0-9]{1,20}|gid://shopify/Customer/[0-9]{1,20})$',
    }),
    financial_status: staticDropdown('Payment', ['PENDING', 'AUTHORIZED', 'PAID'], {
      description: 'Whether it is paid. Defaults to PENDING.',
    }),
    note,
    tags,
    send_receipt: checkbox('Send receipt', { description: 'Emails the customer. Defaults to false.' }),
  },
  run: async ({
    http,
    input: { lines: items, email, customer_id, financial_status, note: text, tags: words, send_receipt },
  }) => {
    const lineItems = items.map(({ variantId, quantity }) => ({
      ...{ variantId: toGid('ProductVariant', String(variantId)), quantity: Number(quantity) },
    }));
    const order = {
      lineItems,
      ...(email && { email }),
      ...(customer_id && { customer: { toAssociate: { id: toGid('Customer', customer_id) } } }),
      ...(financial_status && { financialStatus: financial_status }),
      ...(text && { note: text }),
      ...(words && { tags: words }),
    };
    const options = { sendReceipt: send_receipt ?? false };
    return toOrder(member(await mutate(http, CREATE_ORDER, { order, options }), 'order') ?? {});
  },
});
