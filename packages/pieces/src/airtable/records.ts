import {
  expandPath,
  type Http,
  type HttpRequest,
  type JsonObject,
  type JsonValue,
  ProviderError,
  tokenPaging,
} from '@drawbridge/piece-kit';

export interface TableOf {
  baseId: string;
  table: string;
}

export const recordPaging = tokenPaging({ items: 'records', next: 'offset', param: 'offset', in: 'json' });

/** The parameters of https://airtable.com/developers/web/api/list-records. Absent ones are undefined. */
interface Query {
  filterByFormula?: string;
  view?: string;
  fields?: string[];
  sort?: JsonValue;
  pageSize: number;
  maxRecords?: number;
}

/** Returns the request for a list of records. A POST, because the URL of a GET is limited to 16,000 characters, and formulas may be longer. */
export function listing({ baseId, table }: TableOf, query: Query): HttpRequest {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return {
    method: 'POST',
    path: expandPath('/v0/{baseId}/{table}/listRecords', { baseId, table }),
    json: Object.fromEntries(given),
  };
}

/** The most records that one request may create or change. */
const BATCH = 10;

interface Batches {
  method: 'POST' | 'PATCH';
  /** The body of each request, besides its records. */
  body: JsonObject;
  /** The fields of each record. */
  records: readonly JsonObject[];
}

/**
 * Writes records in as many requests as necessary, one after the other, and returns their responses. Throws ProviderError if one fails; its message
 * says how many records were written before.
 */
export async function writeRecords(
  http: Http,
  { baseId, table }: TableOf,
  { method, body, records }: Batches,
): Promise<JsonValue[]> {
  const path = expandPath('/v0/{baseId}/{table}', { baseId, table });
  const responses: JsonValue[] = [];
  for (let start = 0; start < records.length; start += BATCH) {
    const batch = records.slice(start, start + BATCH).map((fields) => ({ fields }));
    const json = { ...body, records: batch };
    responses.push(await http.json({ method, path, json }).catch((error) => throwWithCount(error, start, records)));
  }
  return responses;
}

function throwWithCount(error: unknown, written: number, { length }: readonly JsonObject[]): never {
  if (!(error instanceof ProviderError) || written === 0) throw error;
  const message = `The first ${written} of ${length} records were written. Then Airtable refused: ${error.message}`;
  throw Object.assign(new ProviderError(message, error), { cause: error });
}
