import type { InputOf, JsonObject } from '@drawbridge/piece-kit';
import type { productFields } from './properties.js';

type Given = InputOf<typeof productFields> & { title?: string; status?: string };

/** Returns the input of a product: https://shopify.dev/docs/api/admin-graphql/latest/input-objects/ProductCreateInput */
export function toProductInput({ title, description, vendor, type, tags, status }: Given): JsonObject {
  return {
    ...(title && { title }),
    ...(description !== undefined && { descriptionHtml: description }),
    ...(vendor && { vendor }),
    ...(type && { productType: type }),
    ...(tags && { tags: [...tags] }),
    ...(status && { status }),
  };
}
