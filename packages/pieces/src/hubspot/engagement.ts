import { type Http, type JsonObject } from '@drawbridge/piece-kit';
import { objectPath, toProperties, toRecord } from './records.js';

/** https://developers.hubspot.com/docs/guides/api/crm/associations/associations-v4#association-type-id-values */
const TYPE_IDS = {
  notes: { contacts: 202, companies: 190, deals: 214 },
  tasks: { contacts: 204, companies: 192, deals: 216 },
} as const;

interface About {
  object_type: 'contacts' | 'companies' | 'deals';
  record_id: string;
}

/** Creates a note or a task about a record. */
export async function createEngagement(
  http: Http,
  kind: keyof typeof TYPE_IDS,
  { object_type, record_id }: About,
  values: JsonObject,
): Promise<JsonObject> {
  const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: TYPE_IDS[kind][object_type] }];
  const json = { properties: toProperties(values), associations: [{ to: { id: record_id }, types }] };
  return toRecord(await http.json({ method: 'POST', path: objectPath(kind), json }));
}
