import {
  checkbox,
  json,
  listAt,
  longText,
  number,
  shortText,
  staticDropdown,
  staticMultiSelect,
  textAt,
  type Property,
} from '@drawbridge/piece-kit';
import type { Column } from './data-source.js';

const TEXT_LIST = { type: 'array', items: { type: 'string' }, maxItems: 100 } as const;
const DATE = 'ISO 8601, such as 2026-01-31 or 2026-01-31T09:00:00Z. For a period, join two with a slash.';

/** Returns the form field for a column, or undefined if Notion computes the column. */
export function toField({ name, type, details }: Column): Property | undefined {
  const choices = listAt(details, 'options').flatMap((option) => textAt(option, 'name') ?? []);
  switch (type) {
    case 'title':
    case 'url':
    case 'email':
    case 'phone_number':
      return shortText(name);
    case 'rich_text':
      return longText(name);
    case 'number':
      return number(name);
    case 'checkbox':
      return checkbox(name);
    case 'date':
      return shortText(name, { description: DATE });
    case 'select':
    case 'status':
      return choices.length > 0 ? staticDropdown(name, choices) : shortText(name);
    case 'multi_select':
      return choices.length > 0 ? staticMultiSelect(name, choices) : json(name, { schema: TEXT_LIST });
    case 'people':
      return json(name, { description: 'A list of user ids.', schema: TEXT_LIST });
    case 'relation':
      return json(name, { description: 'A list of page ids.', schema: TEXT_LIST });
    case 'files':
      return json(name, { description: 'A list of file URLs.', schema: TEXT_LIST });
    default:
      return undefined;
  }
}
