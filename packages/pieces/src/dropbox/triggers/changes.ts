import {
  type Answer,
  type Http,
  isSigned,
  type JsonObject,
  type JsonValue,
  listAt,
  member,
  type Polled,
  type Proof,
  ProviderError,
  readBody,
  readJson,
  textAt,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { rpc, toEntry } from '../requests.js';

/** Maximum number of changes of one poll, because `new_file` sends a request for each change. */
const PAGE = 100;

interface Input {
  folder?: string;
}

/** The position in the list of changes, and the time of the last poll that read all of them. */
type Cursor = { cursor: string; since: string };

/**
 * Returns the functions of a trigger for changes of files. A notification only contains accounts, so the changes are read from a cursor:
 * https://www.dropbox.com/developers/reference/webhooks
 */
export function fileChanges(toId: (http: Http, file: JsonValue, since: string) => Promise<string | undefined>) {
  return {
    ...{ subscribe, route, verify, handshake },
    async poll({
      http,
      input,
      cursor: seen,
    }: TriggerContext<Input> & { cursor: JsonValue | undefined }): Promise<Polled> {
      const { cursor, since } = (seen ?? {}) as Partial<Cursor>;
      const answer = cursor === undefined ? undefined : await changesSince(http, cursor);
      // Dropbox discards cursors, for example of a folder that was moved. The trigger then starts again with the current state.
      if (!answer || !since) return { events: [], cursor: await latest(http, input) };
      const page = readBody(answer) as JsonObject;
      const events: TriggerEvent[] = [];
      for (const entry of listAt(page, 'entries')) {
        const id = member(entry, '.tag') === 'file' ? await toId(http, entry, since) : undefined;
        if (id) events.push({ id, data: toEntry(entry) });
      }
      const isMore = member(page, 'has_more') === true;
      // A file in a later page may be as old as a file in this page, so the time only advances when all changes are read.
      if (isMore) return { events, cursor: { ...toCursor(answer), since }, isMore };
      return { events, cursor: toCursor(answer) };
    },
  };
}

/**
 * Returns a cursor for the changes from now on:
 * https://www.dropbox.com/developers/documentation/http/documentation#files-list_folder-get_latest_cursor
 */
async function latest(http: Http, { folder = '' }: Input): Promise<Cursor> {
  const request = rpc('files/list_folder/get_latest_cursor', { path: folder, recursive: true, limit: PAGE });
  return toCursor(await http.request(request));
}

async function changesSince(http: Http, cursor: string): Promise<Answer | undefined> {
  try {
    return await http.request(rpc('files/list_folder/continue', { cursor }));
  } catch (error) {
    if (error instanceof ProviderError && error.code?.startsWith('reset')) return undefined;
    throw error;
  }
}

/** Uses Dropbox's time, because Dropbox also sets the times of files. */
function toCursor(answer: Answer): Cursor {
  const cursor = textAt(readJson(answer) ?? {}, 'cursor');
  if (!cursor) throw new ProviderError('Dropbox returned no cursor');
  return { cursor, since: new Date(answer.headers['date'] ?? Date.now()).toISOString() };
}

async function subscribe({ http }: TriggerContext<Input>): Promise<string> {
  const account = textAt(await http.json({ method: 'POST', path: '/2/users/get_current_account' }), 'account_id');
  if (!account) throw new ProviderError('Dropbox returned no account');
  return account;
}

const route = (request: WebhookRequest): string[] =>
  listAt(readJson(request) ?? {}, 'list_folder', 'accounts').filter((account) => typeof account === 'string');

/** Verifies the signature of the body with the secret of the app. */
const verify = ({ headers, body }: WebhookRequest, { secret }: Proof): boolean =>
  isSigned({
    algorithm: 'sha256',
    secret,
    content: [body],
    signature: headers['x-dropbox-signature'],
    encoding: 'hex',
  });

/** Dropbox validates the URL with a GET that contains a challenge. The response must contain the challenge as text. */
function handshake({ method, url }: WebhookRequest) {
  const challenge = method === 'GET' ? new URL(url, 'https://webhook.example').searchParams.get('challenge') : null;
  if (!challenge) return undefined;
  return { headers: { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' }, body: challenge };
}

/** An example of an event. */
export const SAMPLE = {
  type: 'file',
  id: 'id:a4ayc_80_OEAAAAAAAAAXw',
  name: 'May.pdf',
  size: 12345,
  rev: 'a1c10ce0dd78',
  client_modified: '2026-01-31T09:00:00Z',
  server_modified: '2026-01-31T09:00:01Z',
  is_downloadable: true,
  path: '/Reports/May.pdf',
};
