import { type Http, listAt, ProviderError, textAt, trigger } from '@drawbridge/piece-kit';
import { folder } from '../properties.js';
import { rpc } from '../requests.js';
import { fileChanges, SAMPLE } from './changes.js';

/**
 * A change does not state whether the file is new, so its revisions are read:
 * https://www.dropbox.com/developers/documentation/http/documentation#files-list_folder-continue
 */
export const newFile = trigger({
  kind: 'app-webhook',
  displayName: 'New file',
  description: 'Runs when a file is added.',
  props: { folder },
  sample: SAMPLE,
  ...fileChanges(async (http, file, since) => {
    const id = textAt(file, 'id');
    return id && (await isNew(http, id, since)) ? id : undefined;
  }),
});

const REVISIONS = 100;
/**
 * Tolerance for files that are slightly older than the last poll, because Dropbox's servers may have different clocks. A file that two polls find is
 * one event, because the id of the file is the id of the event.
 */
const SKEW_MS = 60_000;

/** Returns whether the oldest revision of a file is newer than the last poll. */
async function isNew(http: Http, id: string, since: string): Promise<boolean> {
  const request = rpc('files/list_revisions', { path: id, mode: 'id', limit: REVISIONS });
  const answer = await http.json(request).catch(unlessGone);
  const revisions = listAt(answer, 'entries');
  const oldest = Date.parse(textAt(revisions.at(-1), 'server_modified') ?? '');
  return revisions.length < REVISIONS && oldest >= Date.parse(since) - SKEW_MS;
}

/** Returns null for a file that was deleted in the meantime, because Dropbox then returns no revisions. Rethrows any other error. */
function unlessGone(error: unknown): null {
  if (error instanceof ProviderError && error.code?.startsWith('path/')) return null;
  throw error;
}
