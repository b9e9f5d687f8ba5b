import type { TriggerEvent } from './webhook-request.js';

/** Of events as JSON: half of what a run may answer, for what takes secrets out may make it longer. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * As many of these, the oldest first, as one poll may answer, one at least, with their events; without one: it is none. The cursor of such a
 * poll is that of what was read, so that the next one finds the rest.
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
