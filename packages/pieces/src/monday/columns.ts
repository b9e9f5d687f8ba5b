import {
  checkbox,
  type Http,
  json,
  type JsonObject,
  type JsonValue,
  listAt,
  type LoadProps,
  longText,
  member,
  multiSelect,
  number,
  type Property,
  shortText,
  staticDropdown,
  staticMultiSelect,
  textAt,
} from '@drawbridge/piece-kit';
import { BOARD_COLUMNS } from './documents.js';
import { ask } from './request.js';

export async function columnsOf(http: Http, board_id: string): Promise<JsonValue[]> {
  const columns = listAt(await http.json(ask(BOARD_COLUMNS, { board_id })), 'data', 'boards', 0, 'columns');
  return columns.filter((column) => member(column, 'archived') !== true);
}

/** Loads a form field for each column of the selected board that can be set. */
export const columnFields: LoadProps = async ({ http, input: { board_id } }) => {
  if (typeof board_id !== 'string' || board_id === '') return {};
  return Object.fromEntries(
    (await columnsOf(http, board_id)).flatMap((column) => {
      const [id, field] = [textAt(column, 'id'), toProperty(column)];
      return id && field ? [[id, field]] : [];
    }),
  );
};

const DAY = { pattern: '^\\d{4}-\\d{2}-\\d{2}( \\d{2}:\\d{2}(:\\d{2})?)?$' };

/** Returns undefined for a type that cannot be set: https://developer.monday.com/api-reference/reference/column-types-reference */
function toProperty(column: JsonValue): Property | undefined {
  const title = textAt(column, 'title') ?? 'Column';
  const labels = labelsOf(column);
  switch (textAt(column, 'type')) {
    case 'text':
      return shortText(title);
    case 'long_text':
      return longText(title);
    case 'numbers':
    case 'rating':
      return number(title);
    case 'checkbox':
      return checkbox(title);
    case 'date':
      return shortText(title, { description: 'A date, perhaps with a time in UTC: 2026-01-31 09:00.', ...DAY });
    case 'status':
      return labels.length > 0 ? staticDropdown(title, labels) : shortText(title, { description: 'A label.' });
    case 'dropdown':
      return labels.length > 0 ? staticMultiSelect(title, labels) : multiSelect(title, { description: 'Labels.' });
    case 'people':
      return multiSelect(title, { description: 'Ids of users.' });
    case 'link':
      return json(title, { description: 'Such as {"url": "https://acme.example", "text": "Acme"}.' });
    case 'hour':
      return json(title, { description: 'Such as {"hour": 9, "minute": 30}.' });
    case 'country':
      return json(title, { description: 'Such as {"countryCode": "DE", "countryName": "Germany"}.' });
    case 'email':
      return json(title, { description: 'Such as {"email": "ann@acme.example", "text": "Ann"}.' });
    case 'phone':
      return json(title, { description: 'Such as {"phone": "+4973112345", "countryShortName": "DE"}.' });
    case 'timeline':
      return json(title, { description: 'Such as {"from": "2026-01-01", "to": "2026-01-31"}.' });
    case 'board_relation':
      return json(title, { description: 'Such as {"item_ids": ["1234567890"]}.' });
    default:
      return undefined;
  }
}

/** The settings of a status are `{labels: {"1": "Done"}}`, and those of a dropdown `{labels: [{id, name}]}`. */
function labelsOf(column: JsonValue): string[] {
  const labels = Object.values(member(parsed(textAt(column, 'settings_str')), 'labels') ?? {});
  const names = labels.map((label) => (typeof label === 'string' ? label : textAt(label, 'name')));
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))] as string[];
}

function parsed(text = '{}'): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {}; // The form does not support the settings of this column type.
  }
}

/** Returns the values in monday's format: JSON as a string, with a string for each simple value and null for an empty value. */
export function toColumnValues(values: JsonObject): string {
  return JSON.stringify(Object.fromEntries(Object.entries(values).map(([id, value]) => [id, toColumnValue(value)])));
}

function toColumnValue(value: JsonValue): JsonValue {
  if (typeof value === 'boolean') return value ? { checked: 'true' } : null;
  if (typeof value === 'number') return String(value);
  return Array.isArray(value) ? value.join(',') : value;
}
