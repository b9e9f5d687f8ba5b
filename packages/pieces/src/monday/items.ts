import { type JsonObject, type JsonValue, listAt, member } from '@drawbridge/piece-kit';
import { type Fields, pickFields, same } from '../pick-fields.js';

const ITEM: Fields = same(
  ...['id', 'name', 'url', 'state', 'board', 'group', 'creator', 'parent_item', 'subitems', 'updates'],
  ...['created_at', 'updated_at'],
);

/** Returns the fields of an item that the output contains, with the columns that have a value. */
export function toItem(item: JsonValue): JsonObject {
  const columns = listAt(item, 'column_values').flatMap((value) => {
    // Columns that refer to other boards have only a display value.
    const text = member(value, 'text') || member(value, 'display_value');
    return text ? [{ ...pickFields(value, { id: 'id', title: 'column.title', type: 'type' }), text }] : [];
  });
  return { ...pickFields(item, ITEM), columns };
}
