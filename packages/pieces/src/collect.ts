import type { JsonValue } from '@drawbridge/piece-kit';

/** Reads all pages of a list. */
export async function collect(pages: AsyncIterable<JsonValue>): Promise<JsonValue[]> {
  const items: JsonValue[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
