import {
  checkbox,
  collect,
  dateTime,
  expandPath,
  type Http,
  type JsonValue,
  listAt,
  type LoadOptions,
  type LoadProps,
  longText,
  member,
  number,
  type Property,
  shortText,
  staticDropdown,
  staticMultiSelect,
  textAt,
} from '@drawbridge/piece-kit';

const MAX_PROPERTIES = 2_000;

/** Lists the properties of an object. The list has one page: https://developers.hubspot.com/docs/api-reference/crm-properties-v3/guide */
export async function propertiesOf(http: Http, object: string): Promise<JsonValue[]> {
  const path = expandPath('/crm/v3/properties/{object}', { object });
  return collect(http.pages({ method: 'GET', path, query: { archived: false } }, MAX_PROPERTIES));
}

/** Loads a form field for each property of an object that can be set and that the action does not already have. */
export function settableProperties(object: string, known: readonly string[]): LoadProps {
  return async ({ http }) => {
    const found = await propertiesOf(http, object);
    return Object.fromEntries(
      found.flatMap((property) => {
        const [name, field] = [textAt(property, 'name'), toProperty(property)];
        return name && field && isSettable(property) && !known.includes(name) ? [[name, field]] : [];
      }),
    );
  };
}

function isSettable(property: JsonValue): boolean {
  const isReadOnly = member(property, 'modificationMetadata', 'readOnlyValue') === true;
  return !isReadOnly && member(property, 'hidden') !== true && member(property, 'calculated') !== true;
}

/** Lists the values of a property that has fixed options. */
export const valuesOf =
  (object: string, name: string): LoadOptions =>
  async ({ http }) =>
    choicesOf(
      await http.json({ method: 'GET', path: expandPath('/crm/v3/properties/{object}/{name}', { object, name }) }),
    );

function choicesOf(property: JsonValue): { label: string; value: string }[] {
  return listAt(property, 'options').flatMap((option) => {
    const [label, value] = [textAt(option, 'label'), textAt(option, 'value')];
    return value && member(option, 'hidden') !== true ? [{ label: label ?? value, value }] : [];
  });
}

/** Returns undefined for a type that cannot be set. */
function toProperty(property: JsonValue): Property | undefined {
  const label = textAt(property, 'label') ?? 'Property';
  const choices = choicesOf(property);
  const isMultiple = textAt(property, 'fieldType') === 'checkbox';
  switch (textAt(property, 'type')) {
    case 'string':
      return textAt(property, 'fieldType') === 'textarea' ? longText(label) : shortText(label);
    case 'phone_number':
      return shortText(label);
    case 'number':
      return number(label);
    case 'bool':
      return checkbox(label);
    case 'date':
      return shortText(label, { description: 'A date, such as 2026-01-31.', pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
    case 'datetime':
      return dateTime(label);
    case 'enumeration':
      if (choices.length === 0) return shortText(label, { description: 'The internal name of an option, or an id.' });
      return isMultiple ? staticMultiSelect(label, choices) : staticDropdown(label, choices);
    default:
      return undefined;
  }
}
