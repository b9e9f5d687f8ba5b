import { expandPath, type Http, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';
import { type Association } from './associations.js';

/** If a request specifies no properties, HubSpot returns few. Each common object therefore has a list of properties. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  contacts: ['email', 'firstname', 'lastname', 'phone', 'company', 'jobtitle', 'lifecyclestage', 'hubspot_owner_id'],
  companies: ['name', 'domain', 'industry', 'phone', 'city', 'country', 'lifecyclestage', 'hubspot_owner_id'],
  deals: ['dealname', 'amount', 'pipeline', 'dealstage', 'closedate', 'hubspot_owner_id'],
  tickets: ['subject', 'content', 'hs_pipeline', 'hs_pipeline_stage', 'hs_ticket_priority', 'hubspot_owner_id'],
  notes: ['hs_note_body', 'hs_timestamp', 'hubspot_owner_id'],
  tasks: ['hs_task_subject', 'hs_task_body', 'hs_task_status', 'hs_task_priority', 'hs_timestamp', 'hubspot_owner_id'],
};

/** Returns the properties to request for an object. */
export const shownOf = (object: string): string[] => [...(Object.hasOwn(SHOWN, object) ? (SHOWN[object] ?? []) : [])];

/** Returns the fields of a record that the output contains, with its associations if they were requested. */
export const toRecord = (record: JsonValue): JsonObject =>
  pickFields(record, same('id', 'properties', 'createdAt', 'updatedAt', 'archived', 'associations', 'url'));

/** Creates a record of an object, with associations: https://developers.hubspot.com/docs/api-reference/crm-objects-v3/guide */
export async function createRecord(
  http: Http,
  object: string,
  values: JsonObject,
  associations: Association[] = [],
): Promise<JsonObject> {
  const request = { method: 'POST', path: expandPath('/crm/v3/objects/{object}', { object }) } as const;
  return toRecord(await http.json({ ...request, json: { properties: toValues(values), associations } }));
}

/** Changes properties of a record: https://developers.hubspot.com/docs/api-reference/crm-objects-v3/guide */
export async function updateRecord(
  http: Http,
  { object, id }: { object: string; id: string },
  values: JsonObject,
): Promise<JsonObject> {
  const path = expandPath('/crm/v3/objects/{object}/{id}', { object, id });
  return toRecord(await http.json({ method: 'PATCH', path, json: { properties: toValues(values) } }));
}

/**
 * Merges named values with those of the dynamic property. HubSpot requires each value to be a string; several values of one property are separated by
 * semicolons.
 */
export function toValues({ properties, ...named }: JsonObject): Record<string, string> {
  const values = { ...(properties as JsonObject | undefined), ...named };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toText(value)]));
}

function toText(value: JsonValue): string {
  if (value === null) return ''; // Clears the property.
  if (Array.isArray(value)) return value.map(toText).join(';');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
