import {
  checkbox,
  json,
  listAt,
  longText,
  number,
  type Property,
  shortText,
  staticDropdown,
  textAt,
  type JsonValue,
  member,
  type LoadProps,
} from '@drawbridge/piece-kit';
import { COLUMNS } from './documents.js';
import { request } from './items.js';

/** Returns the columns of a board as properties: https://developer.monday.com/api-reference/reference/column-types-reference. */
export const boardColumns: LoadProps = async ({ http, input: { board_id } }) => {
  if (typeof board_id !== 'string' || board_id === '') return {};
  const [board] = listAt(await http.json(request(COLUMNS, { boards: [board_id] })), 'data', 'boards');
  const columns = listAt(board, 'columns').filter((column) => member(column, 'archived') !== true);
  return Object.fromEntries(
    columns.flatMap((column) => {
      const [id, property] = [textAt(column, 'id'), toProperty(column)];
      return id && property ? [[id, property] as const] : [];
    }),
  );
};

/** Returns undefined for a column that monday computes, or that has no simple value. */
function toProperty(column: JsonValue): Property | undefined {
  const title = textAt(column, 'title') ?? 'Column';
  switch (textAt(column, 'type')) {
    case 'text':
      return shortText(title);
    case 'long_text':
      return longText(title);
    case 'numbers':
      return number(title);
    case 'checkbox':
      return checkbox(title);
    case 'date':
      return shortText(title, { description: 'A date, such as 2026-01-31, perhaps with a time: 2026-01-31 09:00.' });
    case 'status':
      return labelProperty(title, column);
    case 'dropdown':
      return shortText(title, { description: 'Labels, separated by commas.' });
    case 'email':
      return shortText(title, { description: 'An address and a text: "ann@example.com Ann".' });
    case 'link':
      return shortText(title, { description: 'A URL and a text: "https://example.com Example".' });
    case 'phone':
      return shortText(title, { description: 'A number and a country: "+12025550172 US".' });
    case 'people':
      return json(title, {
        description: '{"personsAndTeams": [{"id": 12345, "kind": "person"}]}.',
        schema: { type: 'object' },
      });
    case 'timeline':
      return json(title, { description: '{"from": "2026-01-01", "to": "2026-01-31"}.', schema: { type: 'object' } });
    default:
      return undefined;
  }
}

function labelProperty(title: string, column: JsonValue): Property {
  const labels = labelsIn(textAt(column, 'settings_str') ?? '');
  return labels.length > 0 ? staticDropdown(title, labels) : shortText(title);
}

/** The settings have the labels by their numbers, as JSON in a text. */
function labelsIn(settings: string): string[] {
  try {
    const labels: unknown = JSON.parse(settings).labels;
    const texts = Object.values(labels ?? {}).filter((label) => typeof label === 'string' && label !== '');
    return [...new Set(texts as string[])];
  } catch {
    return [];
  }
}
