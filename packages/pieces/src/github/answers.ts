import {
  checkbox,
  type Http,
  type HttpRequest,
  type JsonObject,
  type JsonValue,
  linkNext,
  listAt,
  readBody,
} from '@drawbridge/piece-kit';
import { type Fields, pickFields, same } from '../pick-fields.js';

export const raw = checkbox('Raw', {
  description: 'Returns whole objects instead of their most used fields.',
});

/** Two actions are older than short answers: callers depend on their whole answer. */
export const rawByDefault = checkbox('Raw', {
  description: 'Whole objects. Defaults to true; false returns only their most used fields.',
});

/** Returns the fields of an object of GitHub, or the object itself. */
export function short(object: JsonValue, fields: Fields, isRaw = false): JsonObject {
  return isRaw ? (object as JsonObject) : pickFields(object, fields);
}

interface Shape {
  fields: Fields;
  isRaw: boolean | undefined;
  /** The key of the list in the body. Absent: the body. */
  key?: string;
  /** Returns whether an item belongs to the answer. */
  keep?: (item: JsonValue) => boolean;
}

/** Reads one page of a list, and the totals of a search. `next_page` is the number of the next page; null after the last one. */
export async function readPage(
  http: Http,
  request: HttpRequest,
  { fields, isRaw, key, keep = () => true }: Shape,
): Promise<JsonObject> {
  const answer = await http.request(request);
  const body = readBody(answer) as JsonValue; // GitHub's lists are JSON.
  const items = listAt(body, ...(key ? [key] : [])).filter(keep);
  const next = linkNext({ request, url: answer.url, answer, body })?.path ?? '';
  return {
    ...pickFields(body, same('total_count', 'incomplete_results')),
    items: items.map((item) => short(item, fields, isRaw)),
    next_page: Number(/[?&]page=(\d+)/.exec(next)?.[1] ?? 0) || null,
  };
}
