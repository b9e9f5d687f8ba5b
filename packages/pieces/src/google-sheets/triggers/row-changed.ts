import { expandPath, firstThatFit, type Http, ProviderError, scalarAt, trigger } from '@drawbridge/piece-kit';
import { toValues } from '../columns.js';
import { digestOf } from '../digest.js';
import { DRIVE_ORIGIN } from '../origins.js';
import { table } from '../properties.js';
import { headerRowOf, idOf, isBlank, readColumns, readRows, type Table } from '../sheet.js';
import { findChanged } from './changed-rows.js';

/** The digests of all rows in one string, and the number of polls, which makes a second change to the same content a separate event. */
type Cursor = { version: string; digests: string; polls: number };

/** Maximum number of rows, because the cursor contains their digests. */
const LIMIT = 2_000;
const DIGEST = 8;

/** Google has no event for rows. If the version of the file has changed, the content of the rows is compared with the digests of the last poll. */
export const rowChanged = trigger({
  kind: 'polling',
  displayName: 'Row changed',
  description:
    'Runs when the content of a row changes, in the first 2,000 rows below the header row. New, deleted, emptied and moved rows are no events.',
  props: table,
  sample: { row: 2, values: { Name: 'Ann', Email: 'ann@acme.example' } },
  poll: async ({ http, input, cursor }) => {
    // The version is read first, so that the next poll finds a change between the two requests.
    const version = await versionOf(http, input);
    if (version === (cursor as Cursor | undefined)?.version) return { events: [], cursor: cursor as Cursor };
    const first = headerRowOf(input) + 1;
    const rows = await readRows(http, input, `${first}:${first + LIMIT - 1}`);
    const now = rows.map((row) => digestOf(row, DIGEST));
    if (cursor === undefined) return { events: [], cursor: { version, digests: now.join(''), polls: 0 } };

    const { digests, polls } = cursor as Cursor;
    const changed = findChanged(digests.match(/.{8}/g) ?? [], now).filter(({ index }) => !isBlank(rows[index] ?? []));
    const columns = changed.length > 0 ? await readColumns(http, input) : [];
    const { events, read } = firstThatFit(changed, ({ index }) => {
      const data = { row: first + index, values: toValues(columns, rows[index] ?? []) };
      return { id: `${polls}-${data.row}-${now[index]}`, data };
    });

    // A row that is reported in a later poll keeps its old digest, so that the next poll finds its change again.
    for (const { index, old } of changed.slice(read.length)) now[index] = old;
    const isMore = read.length < changed.length;
    const next = { version: isMore ? '' : version, digests: now.join(''), polls: polls + 1 };
    return { events, cursor: next, ...(isMore && { isMore }) };
  },
});

/** Returns the version of a file, which increases with each change: https://developers.google.com/workspace/drive/api/reference/rest/v3/files */
async function versionOf(http: Http, { spreadsheetId }: Table): Promise<string> {
  const path = `${DRIVE_ORIGIN}${expandPath('/drive/v3/files/{id}', { id: idOf(spreadsheetId) })}`;
  const query = { fields: 'version', supportsAllDrives: true };
  const version = scalarAt(await http.json({ method: 'GET', path, query }), 'version');
  if (!version) throw new ProviderError('Google Drive returned a file without a version');
  return version;
}
