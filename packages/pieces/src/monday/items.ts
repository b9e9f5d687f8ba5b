import {
  graphqlRequest,
  type Http,
  type HttpRequest,
  InputError,
  type JsonObject,
  type JsonValue,
  listAt,
  member,
  textAt,
} from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';

export const request = (query: string, variables: JsonObject = {}): HttpRequest =>
  graphqlRequest(query, variables, '/v2');

const ITEM = {
  ...same('id', 'name', 'url', 'state', 'created_at', 'updated_at', 'updates'),
  ...{
    boardId: 'board.id',
    board: 'board.name',
    groupId: 'group.id',
    group: 'group.title',
    parentId: 'parent_item.id',
  },
};

/** Returns the short form of an item: its columns by their ids, as monday shows them. */
export function toItem(item: JsonValue): JsonObject {
  const columns = listAt(item, 'column_values').flatMap((value): [string, JsonValue][] => {
    const [id, text] = [textAt(value, 'id'), textAt(value, 'text')];
    return id && text ? [[id, text]] : [];
  });
  return { ...pickFields(item, ITEM), columns: Object.fromEntries(columns) };
}

/** Runs a mutation and returns its item. */
export async function changeItem(http: Http, query: string, variables: JsonObject): Promise<JsonObject> {
  const answer = await http.json(request(query, variables));
  const [item] = Object.values((member(answer, 'data') ?? {}) as JsonObject);
  return toItem(item ?? {});
}

/** Returns the values of columns as the JSON text that monday takes. A checkbox has a form of its own. */
export function toColumnValues(columns: JsonObject): string {
  const values = Object.entries(columns).map(([id, value]) => {
    if (typeof value === 'boolean') return [id, value ? { checked: 'true' } : null];
    return [id, typeof value === 'number' ? String(value) : value];
  });
  return JSON.stringify(Object.fromEntries(values));
}

/** Reads an item. Throws InputError if monday has none: it answers with an empty list. */
export async function requireItem(http: Http, query: string, variables: JsonObject): Promise<JsonValue> {
  const [item] = listAt(await http.json(request(query, variables)), 'data', 'items');
  if (item === undefined) throw new InputError('item_id', 'is not the id of an item that the connection can read');
  return item;
}
