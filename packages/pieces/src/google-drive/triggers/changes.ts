import {
  type Http,
  type JsonValue,
  listAt,
  member,
  type Polled,
  ProviderError,
  readJson,
  textAt,
  type TriggerContext,
  type TriggerEvent,
} from '@drawbridge/piece-kit';
import { wholePages } from '../../google.js';
import { ALL_DRIVES, FILE_FIELDS, toFileEntry } from '../files.js';

/** The position in the list of changes, and the time of the first poll. */
type Cursor = { pageToken: string; since: string };

const CHANGES = '/drive/v3/changes';
const PAGE = 500;
/** Maximum number of pages of one poll. The next poll continues after them. */
const MAX_PAGES = 4;

/** Returns the `poll` of a trigger for changed files: https://developers.google.com/workspace/drive/api/guides/manage-changes */
export function pollChanges(toId: (change: JsonValue, since: string) => string | undefined) {
  return async ({ http, cursor }: TriggerContext<unknown> & { cursor: JsonValue | undefined }): Promise<Polled> => {
    const seen = cursor as Cursor | undefined;
    if (!seen) return { events: [], cursor: await start(http) };

    const events: TriggerEvent[] = [];
    let { pageToken } = seen;
    let isMore = false;
    for await (const page of pagesFrom(http, pageToken)) {
      for (const change of listAt(page, 'changes')) {
        const [id, file] = [toId(change, seen.since), member(change, 'file')];
        if (id && file) events.push({ id, data: { ...toFileEntry(file), changedAt: member(change, 'time') ?? null } });
      }
      const nextPageToken = textAt(page, 'nextPageToken');
      isMore = nextPageToken !== undefined;
      pageToken = nextPageToken ?? textAt(page, 'newStartPageToken') ?? pageToken;
    }
    return { events, cursor: { ...seen, pageToken }, ...(isMore && { isMore }) };
  };
}

const pagesFrom = (http: Http, pageToken: string) =>
  http.pages(
    {
      method: 'GET',
      path: CHANGES,
      query: {
        ...{ pageToken, pageSize: PAGE, includeRemoved: false, includeItemsFromAllDrives: true, ...ALL_DRIVES },
        fields: `nextPageToken,newStartPageToken,changes(fileId,time,file(${FILE_FIELDS}))`,
      },
    },
    MAX_PAGES,
    wholePages,
  );

/** Uses Google's time, because Google also sets the times of files. */
async function start(http: Http): Promise<Cursor> {
  const answer = await http.request({ method: 'GET', path: `${CHANGES}/startPageToken`, query: ALL_DRIVES });
  const pageToken = textAt(readJson(answer), 'startPageToken');
  if (!pageToken) throw new ProviderError('Google returned no token for the changes of the drive');
  const date = new Date(answer.headers['date'] ?? Date.now());
  return { pageToken, since: date.toISOString() };
}

/** An example of an event. */
export const SAMPLE = {
  id: '1a2b3c',
  name: 'Report.pdf',
  mimeType: 'application/pdf',
  size: '12345',
  createdTime: '2026-01-31T09:00:00.000Z',
  modifiedTime: '2026-01-31T09:00:00.000Z',
  parents: ['0AB1c2'],
  webViewLink: 'https://drive.google.com/file/d/1a2b3c/view',
  trashed: false,
  owners: ['ada@example.com'],
};
