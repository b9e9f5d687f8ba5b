import {
  checkbox,
  dateTime,
  expandPath,
  type JsonValue,
  listAt,
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

/** The most properties in a form. Accounts have some hundreds, of which the first are the usual ones. */
const MAX_PROPERTIES = 300;

/** Returns the properties of a type of records that can be set: https://developers.hubspot.com/docs/reference/api/crm/properties. */
export const propertiesOf =
  (type: string): LoadProps =>
  async ({ http }) => {
    const path = expandPath('/crm/v3/properties/{type}', { type });
    const found = listAt(await http.json({ method: 'GET', path }), 'results').filter(isSettable);
    return Object.fromEntries(
      found.slice(0, MAX_PROPERTIES).flatMap((property) => {
        const [name, form] = [textAt(property, 'name'), toProperty(property)];
        return name && form ? [[name, form] as const] : [];
      }),
    );
  };

function isSettable(property: JsonValue): boolean {
  const isReadOnly = member(property, 'modificationMetadata', 'readOnlyValue') === true;
  return !isReadOnly && member(property, 'hidden') !== true && member(property, 'calculated') !== true;
}

function toProperty(property: JsonValue): Property | undefined {
  const label = textAt(property, 'label') ?? 'Property';
  const options = listAt(property, 'options').flatMap((option) => {
    const [shown, value] = [textAt(option, 'label'), textAt(option, 'value')];
    return value && member(option, 'hidden') !== true ? [{ label: shown ?? value, value }] : [];
  });
  switch (textAt(property, 'type')) {
    case 'string':
      return textAt(property, 'fieldType') === 'textarea' ? longText(label) : shortText(label);
    case 'number':
      return number(label);
    case 'bool':
      return checkbox(label);
    case 'date':
      return shortText(label, { description: 'A date, such as 2026-01-31.' });
    case 'datetime':
      return dateTime(label);
    case 'enumeration':
      if (options.length === 0) return shortText(label);
      return textAt(property, 'fieldType') === 'checkbox'
        ? staticMultiSelect(label, options)
        : staticDropdown(label, options);
    default:
      return undefined;
  }
}
