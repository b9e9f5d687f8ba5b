import {
  checkbox,
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
import { DATA } from './version.js';

/** Matches the name of an object or of a field. */
export const API_NAME = '^[A-Za-z][A-Za-z0-9_]{0,79}$';

/** Lists the objects that can be queried: https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/resources_describeGlobal.htm */
export const objects: LoadOptions = async ({ http }) => {
  const found = listAt(await http.json({ method: 'GET', path: `${DATA}/sobjects` }), 'sobjects');
  return found.flatMap((object) => {
    const [value, label] = [textAt(object, 'name'), textAt(object, 'label')];
    return value && label && member(object, 'queryable') === true ? [{ label, value }] : [];
  });
};

/** Reads the fields of an object: https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/resources_sobject_describe.htm */
export async function fieldsOf(http: Http, object: string): Promise<JsonValue[]> {
  const path = expandPath(`${DATA}/sobjects/{object}/describe`, { object });
  return listAt(await http.json({ method: 'GET', path }), 'fields');
}

/** Loads a form field for each field of the selected object that can be created or updated. */
export function settableFields(how: 'createable' | 'updateable'): LoadProps {
  return async ({ http, input: { object } }) => {
    if (typeof object !== 'string' || !new RegExp(API_NAME).test(object)) return {};
    const fields = await fieldsOf(http, object);
    return Object.fromEntries(
      fields.flatMap((field) => {
        const [name, property] = [textAt(field, 'name'), toProperty(field)];
        return name && property && member(field, how) === true ? [[name, property]] : [];
      }),
    );
  };
}

/** Returns undefined for a type that cannot be set. */
function toProperty(field: JsonValue): Property | undefined {
  const label = textAt(field, 'label') ?? 'Field';
  const values = listAt(field, 'picklistValues').flatMap((option) => {
    const [shown, value] = [textAt(option, 'label'), textAt(option, 'value')];
    return value && member(option, 'active') === true ? [{ label: shown ?? value, value }] : [];
  });
  switch (textAt(field, 'type')) {
    case 'string':
    case 'email':
    case 'phone':
    case 'url':
    case 'encryptedstring':
    case 'combobox':
      return shortText(label);
    case 'reference':
    case 'id':
      return shortText(label, { description: 'The id of a record.' });
    case 'textarea':
      return longText(label);
    case 'boolean':
      return checkbox(label);
    case 'int':
    case 'long':
      return number(label, { integer: true });
    case 'double':
    case 'currency':
    case 'percent':
      return number(label);
    case 'date':
      return shortText(label, { description: 'A date, such as 2026-01-31.', pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
    case 'datetime':
      return dateTime(label);
    case 'picklist':
      return values.length > 0 ? staticDropdown(label, values) : shortText(label);
    case 'multipicklist':
      return values.length > 0 ? staticMultiSelect(label, values) : shortText(label);
    default:
      return undefined;
  }
}

/** Salesforce expects several values of one field as a string with semicolons. */
export function toValues(fields: { readonly [name: string]: JsonValue }): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.join(';') : value]),
  );
}
