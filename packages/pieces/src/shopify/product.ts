import { type JsonObject } from '@drawbridge/piece-kit';

interface Given {
  title?: string;
  description?: string;
  vendor?: string;
  type?: string;
  tags?: readonly string[];
  status?: string;
}

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
