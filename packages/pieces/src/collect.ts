import type { JsonValue } from '@drawbridge/piece-kit';

/** A list that came page by page, whole. */
export async function collect(pages: AsyncIterable<JsonValue>): Promise<JsonValue[]> {
  const items: JsonValue[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
