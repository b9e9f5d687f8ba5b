import {
  firstThatFit,
  listAt,
  member,
  ProviderError,
  textAt,
  type Http,
  type JsonObject,
  type JsonValue,
  type Polled,
  type TriggerContext,
  type TriggerEvent,
} from '@drawbridge/piece-kit';
import { wholePages } from '../google.js';
import { IN_EVENT, toMessage } from './message.js';
import { MAILBOX, readListed } from './requests.js';

/** The changes of the mailbox that a trigger reports. */
interface Source {
  types: readonly ('messageAdded' | 'labelAdded')[];
  /** Returns the messages in a record that the trigger reports, unchanged. */
  messages(record: JsonValue, label: string): JsonValue[];
  /** Returns the id of the event for a message. Default: the id of the message. */
  id?(message: string, record: string): string;
  /** Splits the event for a message into several events. */
  split?(event: TriggerEvent): TriggerEvent[];
}

/** The last record of the history that was read completely, and the messages of the next record that were read: `record/message`. */
type Cursor = { historyId: string; done: string[] };

/** A message in a record of the history. */
interface Found {
  record: string;
  message: string;
}

/** Maximum number of messages of one poll, because each needs a request. */
const MAX_MESSAGES = 50;
const PAGE = 500;
const MAX_PAGES = 20;

const DEFAULT_LABEL = 'INBOX';

/**
 * Returns the `poll` of a trigger. Gmail stores its history for about a week. After that, the poll starts again with the current state, and changes
 * before it are not reported: https://developers.google.com/workspace/gmail/api/guides/sync
 */
export function pollHistory<Input extends { label?: string }>(source: Source) {
  return async ({
    http,
    input: { label = DEFAULT_LABEL },
    cursor,
  }: TriggerContext<Input> & { cursor: JsonValue | undefined }): Promise<Polled> => {
    if (cursor === undefined) return startNow(http);
    const since = cursor as Cursor;
    const history = await readHistory(http, { source, label, since });
    if (!history) return startNow(http);

    const items: (Found & { data: JsonObject | undefined })[] = [];
    for (const found of history.found.slice(0, MAX_MESSAGES)) {
      const message = await readListed(http, found.message, 'full');
      items.push({ ...found, data: message === undefined ? undefined : toMessage(message, IN_EVENT) });
    }
    const { events, read } = firstThatFit(
      items,
      ({ record, message, data }) => data && { id: source.id?.(message, record) ?? message, data },
    );
    return {
      events: source.split ? events.flatMap(source.split) : events,
      cursor: cursorAfter(history, read.length, since),
    };
  };
}

async function startNow(http: Http): Promise<Polled> {
  const profile = await http.json({ method: 'GET', path: `${MAILBOX}/profile` });
  return { events: [], cursor: { historyId: textAt(profile, 'historyId') ?? '', done: [] } };
}

interface Reading {
  source: Source;
  label: string;
  since: Cursor;
}

interface History {
  /** The messages that were not yet reported, oldest first. */
  found: Found[];
  /** The id of the last record that was read. */
  end: string;
}

/** Returns undefined if Gmail no longer stores the history since the cursor. */
async function readHistory(http: Http, { source, label, since }: Reading): Promise<History | undefined> {
  const query = {
    startHistoryId: since.historyId,
    historyTypes: source.types,
    labelId: label,
    maxResults: PAGE,
  };
  const request = { method: 'GET', path: `${MAILBOX}/history`, query };
  const history: History = { found: [], end: since.historyId };
  try {
    for await (const page of http.pages(request, MAX_PAGES, wholePages)) {
      const records = listAt(page, 'history');
      history.found.push(...records.flatMap((record) => messagesOf(record, { source, label, since })));
      const isLast = textAt(page, 'nextPageToken') === undefined;
      history.end = textAt(isLast ? page : records.at(-1), isLast ? 'historyId' : 'id') ?? history.end;
      if (history.found.length > MAX_MESSAGES) break;
    }
    return history;
  } catch (error) {
    if (error instanceof ProviderError && error.status === 404) return undefined;
    throw error;
  }
}

/** Returns the messages in a record that the trigger reports, without duplicates and without messages that were already read. */
function messagesOf(record: JsonValue, { source, label, since }: Reading): Found[] {
  const id = textAt(record, 'id') ?? '';
  const ids = new Set(source.messages(record, label).flatMap((message) => textAt(message, 'id') ?? []));
  return [...ids].map((message) => ({ record: id, message })).filter((found) => !since.done.includes(keyOf(found)));
}

const keyOf = ({ record, message }: Found): string => `${record}/${message}`;

/** Returns the cursor after the first `count` messages. A record with several messages can be read in part. */
function cursorAfter({ found, end }: History, count: number, since: Cursor): Cursor {
  const next = found[count];
  if (!next) return { historyId: end, done: [] };
  const read = found.slice(0, count);
  const whole = read.filter(({ record }) => record !== next.record).at(-1)?.record ?? since.historyId;
  const done = read.filter(({ record }) => record === next.record).map(keyOf);
  return { historyId: whole, done: whole === since.historyId ? [...since.done, ...done] : done };
}

/** Returns the messages that arrived in a record, except drafts. */
export function arrived(record: JsonValue, label = ''): JsonValue[] {
  const messages = listAt(record, 'messagesAdded').map((added) => member(added, 'message') ?? null);
  return messages.filter((message) => label === 'DRAFT' || !listAt(message, 'labelIds').includes('DRAFT'));
}

/** Returns the messages in a record to which a label was added. */
export function labeled(record: JsonValue, label: string): JsonValue[] {
  const changes = listAt(record, 'labelsAdded').filter((change) => listAt(change, 'labelIds').includes(label));
  return changes.map((change) => member(change, 'message') ?? null);
}
