import { expandPath, firstThatFit, type Http, type JsonValue, scalarAt, trigger } from '@drawbridge/piece-kit';
import { toColumns, toValues } from '../columns.js';
import { DRIVE_ORIGIN } from '../origins.js';
import { headerRow, place } from '../properties.js';
import { hashOf, isEmpty } from '../row-hash.js';
import { headerOf, idOf, readRows, type Table } from '../sheet.js';

/** The version of the file, and the hashes of the rows below the header. */
type Cursor = { version: string; hashes: string[] };

const MAX_ROWS = 5_000;
/** Hashes of 48 bits: two of 5,000 different rows are equal once in 20 million sheets. */
const HASH_LENGTH = 8;

/** Google has no event for rows. A poll reads the rows only if the version of the file is another one. */
export const rowChanged = trigger({
  kind: 'polling',
  displayName: 'Row changed',
  description:
    'Runs when a row is added, or gets cells that no row had before. Reads the first 5,000 rows. A row that only moves is no change.',
  props: { ...place, headerRow },
  sample: { row: 2, values: { Name: 'Ann', Email: 'ann@new.example' } },
  poll: async ({ http, input, cursor }) => {
    const seen = cursor as Cursor | undefined;
    // The version is read first: a change between the two requests is found by the next poll.
    const version = await versionOf(http, input);
    if (seen && seen.version === version) return { events: [], cursor: seen };
    const { columns, rows } = await readTable(http, input);
    if (!seen) return { events: [], cursor: { version, hashes: rows.map(({ hash }) => hash) } };

    const known = countOf(seen.hashes);
    const unknown = rows.filter(({ hash, cells }) => !take(known, hash) && !isEmpty(cells));
    const { events, read } = firstThatFit(unknown, ({ row, hash, cells }) => ({
      // A row can get the same cells again later. The old version makes that another event, and a repeated poll the same one.
      id: `${row}-${hash}-${seen.version}`,
      data: { row, values: toValues(columns, cells) },
    }));
    const left = new Set(unknown.slice(read.length));
    const hashes = rows.filter((one) => !left.has(one)).map(({ hash }) => hash);
    if (left.size === 0) return { events, cursor: { version, hashes } };
    return { events, cursor: { version: seen.version, hashes }, isMore: true };
  },
});

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/files: the version grows with every change. */
async function versionOf(http: Http, { spreadsheetId }: Table): Promise<string> {
  const path = `${DRIVE_ORIGIN}${expandPath('/drive/v3/files/{id}', { id: idOf(spreadsheetId) })}`;
  const query = { fields: 'version', supportsAllDrives: true };
  return scalarAt(await http.json({ method: 'GET', path, query }), 'version') ?? '';
}

interface Row {
  row: number;
  cells: JsonValue[];
  hash: string;
}

async function readTable(http: Http, place: Table): Promise<{ columns: string[]; rows: Row[] }> {
  const header = headerOf(place);
  const [names = [], ...rows] = await readRows(http, place, `${header}:${header + MAX_ROWS}`);
  const numbered = rows.map((cells, index) => ({ row: header + 1 + index, cells, hash: hashOf(cells, HASH_LENGTH) }));
  return { columns: toColumns(names), rows: numbered };
}

function countOf(hashes: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return counts;
}

/** Takes one occurrence. Returns whether there was one. */
function take(counts: Map<string, number>, hash: string): boolean {
  const count = counts.get(hash) ?? 0;
  counts.set(hash, count - 1);
  return count > 0;
}
