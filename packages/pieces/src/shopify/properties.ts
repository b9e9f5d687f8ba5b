import { json, longText, shortText } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';

/** A number, or a global id such as gid://shopify/Order/450789469. */
const ID = '^([0-9]{1,20}|gid://shopify/[A-Za-z]{1,40}/[0-9]{1,20})$';
const IDS = { required: true, pattern: ID } as const;

export const order = shortText('Order', { ...IDS, description: 'Such as 450789469.' });
export const product = shortText('Product', { ...IDS, description: 'The id of a product, such as 108828309.' });

export const tags = json('Tags', {
  description: 'Such as ["vip", "wholesale"].',
  schema: { type: 'array', maxItems: 250, items: { type: 'string', minLength: 1, maxLength: 255 } },
});

export const note = longText('Note', { description: 'A note for the staff.', maxLength: 5_000 });

export const query = shortText('Query', {
  description: "Shopify's search syntax, such as status:open created_at:>2026-01-01.",
  maxLength: 1_000,
});

/** The fields of a product that creating and updating accept. */
export const productFields = {
  description: longText('Description', { description: 'HTML.', maxLength: 100_000 }),
  vendor: shortText('Vendor', { description: 'The maker of the product.', maxLength: 255 }),
  type: shortText('Type', { description: 'Such as Tea.', maxLength: 255 }),
  tags,
};

export const lines = json('Lines', {
  required: true,
  description: 'Such as [{"variantId": "43729076", "quantity": 2}].',
  schema: {
    type: 'array',
    minItems: 1,
    maxItems: 250,
    items: {
      type: 'object',
      required: ['variantId', 'quantity'],
      additionalProperties: false,
      properties: { variantId: { type: 'string', pattern: ID }, quantity: { type: 'integer', minimum: 1 } },
    },
  },
});

export const limit = itemLimit({ defaultsTo: 20, maximum: 500 });
