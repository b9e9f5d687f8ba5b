import { expandPath, type Http, type JsonObject, type JsonValue, member, tokenPaging } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';

/** https://developers.hubspot.com/docs/reference/api/settings/account-information */
export const ACCOUNT = '/account-info/v3/details';

export const TYPES = ['contacts', 'companies', 'deals', 'tickets'] as const;

export const objectPath = (type: string, path = '', values: { [name: string]: string } = {}): string =>
  expandPath(`/crm/v3/objects/{type}${path}`, { ...values, type });

/** Returns the short form of a record: the properties that have a value. */
export function toRecord(record: JsonValue): JsonObject {
  const properties = Object.entries((member(record, 'properties') ?? {}) as JsonObject);
  return {
    ...pickFields(record, same('id', 'createdAt', 'updatedAt', 'archived', 'associations')),
    properties: Object.fromEntries(properties.filter(([, value]) => value !== null)),
  };
}

export async function createRecord(http: Http, type: string, values: JsonObject): Promise<JsonObject> {
  const json = { properties: toProperties(values), associations: [] };
  return toRecord(await http.json({ method: 'POST', path: objectPath(type), json }));
}

export async function updateRecord(
  http: Http,
  [type, id]: readonly [type: string, id: string],
  values: JsonObject,
): Promise<JsonObject> {
  const path = objectPath(type, '/{id}', { id });
  return toRecord(await http.json({ method: 'PATCH', path, json: { properties: toProperties(values) } }));
}

interface Given {
  properties?: JsonObject;
  [property: string]: JsonValue | undefined;
}

/** Returns the values of a record: those of the action's own properties take precedence over the dynamic ones. */
export function valuesOf({ properties = {}, ...own }: Given): JsonObject {
  const given = Object.entries(own).filter((one): one is [string, JsonValue] => one[1] !== undefined);
  return { ...properties, ...Object.fromEntries(given) };
}

/** Returns the values as texts, as HubSpot takes them: several values are separated by semicolons. */
export function toProperties(values: JsonObject): JsonObject {
  const texts = Object.entries(values).map(([name, value]) => [name, [value].flat().join(';')]);
  return Object.fromEntries(texts);
}

/** Pages a search: the token of the next page is in the body. */
export const searchPages = tokenPaging({ items: 'results', next: 'paging.next.after', param: 'after', in: 'json' });
