import { type JsonObject, type JsonValue } from './json.js';
import { type Polled, type TriggerContext, type TriggerEvent } from './trigger.js';

/** Describes how a polling trigger finds new items. */
interface NewSince<Input> {
  /**
   * Lists items, each with a time and an id. Without `since`, the newest item comes first. With `since`, returns at least the items of that time and
   * later items, in the order `order`.
   */
  list(context: TriggerContext<Input>, since: Date | undefined): AsyncIterable<JsonValue>;
  /** The order of the list. Default: `newest first`. A list that is `oldest first` must begin at `since`. */
  order?: 'newest first' | 'oldest first';
  /**
   * Returns the time at which the provider stored an item, as ISO 8601 or milliseconds since 1970. An item that appears with an earlier time than a
   * known item is not found. Therefore a time that users set, or that lies in the future, loses events.
   */
  time(item: JsonValue): string | number | undefined;
  /** Returns the id of the event. It must include the time if each change of an item is an event. */
  id(item: JsonValue): string | undefined;
  /** Returns the data of the event, or undefined to skip the item. Default: the item. */
  data?(item: JsonValue, input: Input): JsonObject | undefined;
}

/** The time of the newest known items in ISO 8601, and the ids of all items with that time. */
type Cursor = { time: string; ids: string[] };

/**
 * The maximum number of new items per poll. A list that is oldest first continues in the next poll. If a list is newest first, older items beyond the
 * limit are lost.
 */
const LIMIT = 1_000;

/**
 * Returns the `poll` of a trigger for items with a time. The first poll returns no events. The cursor contains the ids of all items of the newest
 * time, so that the next poll finds an item that was added later in the same second, and repeats no item.
 */
export function newSince<Input>(
  source: NewSince<Input>,
): (context: TriggerContext<Input> & { cursor: JsonValue | undefined }) => Promise<Polled> {
  return async ({ cursor, ...context }) => {
    if (cursor === undefined) return { events: [], cursor: toCursor(await newest(source, context)) };
    const seen = cursor as Cursor;
    const found = await since(source, context, seen);
    const { events, read } = firstThatFit(found, ({ id, item }) => {
      const data = source.data ? source.data(item, context.input) : (item as JsonObject);
      return data && { id, data };
    });
    const isMore = read.length < found.length || found.length >= LIMIT;
    return { events, cursor: toCursor(read, seen), ...(isMore && { isMore }) };
  };
}

interface Timed {
  time: number;
  id: string;
  item: JsonValue;
}

/** Adds the time and the id to an item. Returns undefined for an item without an id or a valid time. */
function toTimed<Input>({ time, id }: NewSince<Input>, item: JsonValue): Timed | undefined {
  const [at, itsId] = [time(item), id(item)];
  // A Date has whole milliseconds, as the cursor has, and rejects times beyond its range.
  const milliseconds = new Date(at ?? NaN).getTime();
  return Number.isNaN(milliseconds) || !itsId ? undefined : { time: milliseconds, id: itsId, item };
}

/** Returns all items that have the newest time. */
async function newest<Input>(source: NewSince<Input>, context: TriggerContext<Input>): Promise<Timed[]> {
  const found: Timed[] = [];
  for await (const item of source.list(context, undefined)) {
    const timed = toTimed(source, item);
    if (!timed) continue;
    if (found[0] && timed.time !== found[0].time) break;
    found.push(timed);
  }
  return found;
}

/** Returns the unknown items of the cursor's time and later times, oldest first. */
async function since<Input>(source: NewSince<Input>, context: TriggerContext<Input>, seen: Cursor): Promise<Timed[]> {
  const isNewestFirst = source.order !== 'oldest first';
  const start = Date.parse(seen.time);
  const known = new Set(seen.ids);
  const found: Timed[] = [];
  let later = 0;
  for await (const item of source.list(context, new Date(start))) {
    const timed = toTimed(source, item);
    if (!timed) continue;
    if (timed.time < start && isNewestFirst) break;
    if (timed.time >= start && !known.has(timed.id)) found.push(timed);
    if (timed.time > start && ++later === LIMIT) break;
  }
  // The sort is stable, so items of the same time stay in the order of the list.
  return (isNewestFirst ? found.reverse() : found).sort((one, other) => one.time - other.time);
}

/**
 * Returns the cursor after these items. It contains the ids of all items with the newest time, because the provider may add further items with that
 * time.
 */
function toCursor(items: readonly Timed[], seen: Cursor = { time: new Date(0).toISOString(), ids: [] }): Cursor {
  const start = Date.parse(seen.time);
  const newestTime = items.reduce((last, one) => Math.max(last, one.time), start);
  const before = newestTime === start ? seen.ids : [];
  const ids = items.filter(({ time }) => time === newestTime).map(({ id }) => id);
  return { time: new Date(newestTime).toISOString(), ids: [...new Set([...before, ...ids])] };
}

/** Maximum size of the events as JSON. It is half the limit of an output, because redaction may make the output longer. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Returns as many of the oldest items as fit in the result of one poll, at least one, and their events. `toEvent` returns undefined to skip an item.
 * The poll's cursor must follow the last item in `read`, so that the next poll returns the remaining items.
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
