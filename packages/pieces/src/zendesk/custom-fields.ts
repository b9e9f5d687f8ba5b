import {
  checkbox,
  collect,
  type JsonValue,
  listAt,
  type LoadProps,
  longText,
  member,
  number,
  type Property,
  scalarAt,
  shortText,
  staticDropdown,
  staticMultiSelect,
  textAt,
} from '@drawbridge/piece-kit';
import { cursorPages, FIRST } from './paging.js';

const MAX_FIELDS = 300;

/** Loads a form field for each active custom field: https://developer.zendesk.com/api-reference/ticketing/tickets/ticket_fields/ */
export const customFields: LoadProps = async ({ http }) => {
  const request = { method: 'GET', path: '/api/v2/ticket_fields', query: FIRST } as const;
  const fields = await collect(http.pages(request, MAX_FIELDS, cursorPages('ticket_fields')));
  return Object.fromEntries(
    fields.flatMap((field) => {
      const [id, property] = [scalarAt(field, 'id'), toProperty(field)];
      return id && property && member(field, 'active') === true ? [[id, property]] : [];
    }),
  );
};

/** Returns undefined for a system field, and for a type that cannot be set. */
function toProperty(field: JsonValue): Property | undefined {
  const title = textAt(field, 'title') ?? 'Field';
  const options = listAt(field, 'custom_field_options').flatMap((option) => {
    const [label, value] = [textAt(option, 'name'), textAt(option, 'value')];
    return label && value ? [{ label, value }] : [];
  });
  switch (textAt(field, 'type')) {
    case 'text':
    case 'regexp':
      return shortText(title);
    case 'textarea':
      return longText(title);
    case 'integer':
      return number(title, { integer: true });
    case 'decimal':
      return number(title);
    case 'date':
      return shortText(title, { description: 'A date, such as 2026-01-31.', pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
    case 'checkbox':
      return checkbox(title);
    case 'tagger':
      return options.length > 0 ? staticDropdown(title, options) : undefined;
    case 'multiselect':
      return options.length > 0 ? staticMultiSelect(title, options) : undefined;
    default:
      return undefined;
  }
}
