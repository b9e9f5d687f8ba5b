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

/** The parameters of a list: https://airtable.com/developers/web/api/list-records */
interface Query {
  filterByFormula?: string;
  view?: string;
  fields?: string[];
  sort?: JsonValue;
  pageSize: number;
  maxRecords?: number;
}

/**
 * Returns the request for a list of records. It is a POST, because Airtable limits the URL of a GET to 16,000 characters, and formulas may be longer.
 */
export function listing({ baseId, table }: TableOf, query: Query): HttpRequest {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return {
    method: 'POST',
    path: expandPath('/v0/{baseId}/{table}/listRecords', { baseId, table }),
    json: Object.fromEntries(given),
  };
}

/** Maximum number of records that one request may create or change. */
const BATCH = 10;

interface Batches {
  method: 'POST' | 'PATCH';
  /** The body of each request, except its records. */
  body: JsonObject;
  /** The fields of each record. */
  records: readonly JsonObject[];
}

/**
 * Writes records in as many requests as necessary, in sequence, and returns their responses. Throws ProviderError if a request fails. Its message
 * contains the number of records that were already written.
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
  const message = `The first ${written} of ${length} records were written. Then Airtable rejected a record: ${error.message}`;
  throw Object.assign(new ProviderError(message, error), { cause: error });
}
