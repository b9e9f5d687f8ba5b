import {
  firstThatFit,
  listAt,
  ProviderError,
  textAt,
  type Http,
  type JsonValue,
  type Polled,
  type TriggerContext,
} from '@drawbridge/piece-kit';
import { ifStatus } from '../if-status.js';
import { wholePages } from '../google.js';
import { toListed } from './event.js';
import { eventsPath } from './requests.js';

type Kind = 'created' | 'updated' | 'cancelled';

/** The position after the last synchronization. */
type Cursor = {
  syncToken: string;
  /** The second of the newest known change, and the events that were created in that second, because more events may appear in it. */
  second: string;
  ids: string[];
  /** The last change that was read, if a synchronization did not fit into one poll. */
  after?: string;
};

const PAGE = 1_000;
const MAX_PAGES = 100;

/**
 * Returns the `poll` of a trigger for one kind of change. If the token has expired, the poll starts again with the current state, and changes before
 * it are not reported: https://developers.google.com/workspace/calendar/api/guides/sync
 */
export function pollChanges<Input extends { calendarId?: string }>(kind: Kind) {
  return async ({
    http,
    input: { calendarId },
    cursor,
  }: TriggerContext<Input> & { cursor: JsonValue | undefined }): Promise<Polled> => {
    const since = cursor as Cursor | undefined;
    const changes = since && (await readChanges(http, calendarId, { syncToken: since.syncToken }).catch(ifNotExpired));
    if (!since || !changes) {
      const fields = 'nextPageToken,nextSyncToken,updated,items(id,created)';
      return { events: [], cursor: toCursor(await readChanges(http, calendarId, { fields })) };
    }

    const { after = '' } = since;
    const unread = changes.events.filter((event) => orderOf(event) > after);
    const { events, read } = firstThatFit(unread, (event) =>
      kindOf(event, since) === kind ? { id: idOf(event, kind), data: toListed(event) } : undefined,
    );
    const last = read.at(-1);
    const isWhole = read.length === unread.length || last === undefined;
    return { events, cursor: isWhole ? toCursor(changes, since) : { ...since, after: orderOf(last) } };
  };
}

/** Google responds with 410 if the token has expired. */
const ifNotExpired = ifStatus(410, undefined);

interface Changes {
  /** The events, ordered by their last change. */
  events: JsonValue[];
  syncToken: string;
  /** The time of the last change of the calendar. */
  updated: string;
}

async function readChanges(
  http: Http,
  calendarId: string | undefined,
  parameters: { syncToken?: string; fields?: string },
): Promise<Changes> {
  const request = { method: 'GET', path: eventsPath(calendarId), query: { maxResults: PAGE, ...parameters } };
  const changes: Changes = { events: [], syncToken: '', updated: '' };
  for await (const page of http.pages(request, MAX_PAGES + 1, wholePages)) {
    for (const event of listAt(page, 'items')) changes.events.push(event);
    changes.syncToken = textAt(page, 'nextSyncToken') ?? '';
    changes.updated = textAt(page, 'updated') ?? changes.updated;
  }
  if (!changes.syncToken) throw new ProviderError('Google returned no token for the next synchronization');
  changes.events.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  return changes;
}

/** An event that changes again during a synchronization of several polls moves to the end of the list and is read there. */
const orderOf = (event: JsonValue): string => `${textAt(event, 'updated') ?? ''} ${textAt(event, 'id') ?? ''}`;

function kindOf(event: JsonValue, { second, ids }: Cursor): Kind {
  if (textAt(event, 'status') === 'cancelled') return 'cancelled';
  // A changed instance of a recurring event appears as a separate event.
  const isInstance = textAt(event, 'recurringEventId') !== undefined;
  const isNew = createdIn(event) >= second && !ids.includes(textAt(event, 'id') ?? '');
  return isNew && !isInstance ? 'created' : 'updated';
}

function idOf(event: JsonValue, kind: Kind): string {
  const id = textAt(event, 'id') ?? '';
  return kind === 'created' ? id : `${id}/${textAt(event, 'updated') ?? kind}`;
}

function toCursor({ syncToken, updated, events }: Changes, since?: Cursor): Cursor {
  const before = since?.second ?? '';
  const second = events.reduce<string>(
    (newest, event) => (createdIn(event) > newest ? createdIn(event) : newest),
    secondOf(updated) > before ? secondOf(updated) : before,
  );
  const ids = events.filter((event) => createdIn(event) === second).flatMap((event) => textAt(event, 'id') ?? []);
  return { syncToken, second, ids: [...new Set([...(second === before ? (since?.ids ?? []) : []), ...ids])] };
}

const createdIn = (event: JsonValue): string => secondOf(textAt(event, 'created') ?? '');

/** Google writes times in UTC: `2026-01-31T09:00:00.000Z`. */
const secondOf = (time: string): string => time.slice(0, 19);
