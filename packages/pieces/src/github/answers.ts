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

/** Two actions existed before outputs were shortened. Callers depend on their complete output, so `raw` is their default. */
export const rawByDefault = checkbox('Raw', {
  description: 'Whole objects. Defaults to true; false returns only their most used fields.',
});

/** Returns the selected fields of a GitHub object, or the whole object. */
export function short(object: JsonValue, fields: Fields, isRaw = false): JsonObject {
  return isRaw ? (object as JsonObject) : pickFields(object, fields);
}

interface Shape {
  fields: Fields;
  isRaw: boolean | undefined;
  /** The key of the list in the body. Default: the body is the list. */
  key?: string;
  /** Returns whether an item belongs to the output. */
  keep?: (item: JsonValue) => boolean;
}

/** Reads one page of a list, and the totals of a search. `next_page` is the number of the next page, or null after the last page. */
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
