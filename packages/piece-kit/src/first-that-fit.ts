import type { TriggerEvent } from './webhook-request.js';

/** Limit of the events as JSON: half the limit of an output, because redaction may make it longer. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Returns as many of the oldest items as fit in the answer of one poll, at least one, and their events. `toEvent` returns undefined to skip
 * an item. The poll's cursor must follow the last item in `read`, so that the next poll returns the rest.
 */
export function firstThatFit<Item>(
  items: readonly Item[],
  toEvent: (item: Item, index: number) => TriggerEvent | undefined,
): { events: TriggerEvent[]; read: Item[] } {
  const events: TriggerEvent[] = [];
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    const event = toEvent(item, index);
    if (!event) continue;
    bytes += Buffer.byteLength(JSON.stringify(event));
    if (events.length > 0 && bytes > MAX_BYTES) return { events, read: items.slice(0, index) };
    events.push(event);
  }
  return { events, read: [...items] };
}
