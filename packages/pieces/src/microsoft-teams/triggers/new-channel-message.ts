import {
  expandPath,
  type Http,
  type HttpRequest,
  type JsonValue,
  listAt,
  member,
  type Polled,
  ProviderError,
  textAt,
  trigger,
  type TriggerContext,
} from '@drawbridge/piece-kit';
import { pathOfLink, wholePages } from '../../microsoft.js';
import { toMessage } from '../messages.js';
import { channel, team } from '../properties.js';

/**
 * The position in the changes, the time of the first poll, and the time of the last poll that read all changes. Without a link, the list starts at
 * that time.
 */
type Cursor = { link?: string; first: number; since: number };

interface Input {
  team_id: string;
  channel_id: string;
}

/** A poll ends after this number of pages or characters, so that its events fit in one output. The next poll continues after them. */
const MAX_PAGES = 20;
const MAX_CHARACTERS = 2_000_000;
const PAGE = 50;

/** Messages can appear later than their time. A message that is found again has the same id and is dropped. */
const MARGIN_MS = 3_600_000;

/**
 * Reads changed messages, of which only new messages are events. If Microsoft has discarded the changes, the list starts again at the time of the
 * last poll, so that no message is lost: https://learn.microsoft.com/graph/api/chatmessage-delta
 */
export const newChannelMessage = trigger({
  kind: 'polling',
  displayName: 'New channel message',
  description: 'Runs when a message begins a thread in a channel. Replies are no events.',
  props: { team_id: team, channel_id: channel },
  sample: {
    id: '1616990032035',
    createdDateTime: '2026-01-31T09:00:00.035Z',
    content: 'Hello',
    contentType: 'text',
    from: 'Ada Lovelace',
    fromId: '8ea0e38b-efb3-4757-924a-5f94061cf8c2',
    webUrl: 'https://teams.microsoft.com/l/message/19%3A4a95@thread.tacv2/1616990032035',
  },
  poll: async ({ http, input, cursor }: TriggerContext<Input> & { cursor: JsonValue | undefined }): Promise<Polled> => {
    const now = Date.now();
    const seen = (cursor ?? { first: now, since: now }) as Cursor;
    const start = Math.max(seen.first, seen.since - MARGIN_MS);
    const known = seen.link === undefined ? undefined : await read(http, { method: 'GET', path: seen.link });
    const changes = known ?? (await read(http, changesSince(input, start)));
    if (!changes) throw new ProviderError('Microsoft returned no changes of the channel');

    // The first poll only checks that the channel can be read. The next poll finds messages that were sent after it.
    if (cursor === undefined) return { events: [], cursor: seen };
    const { messages, link, isComplete } = changes;
    const found = messages.filter((message) => isNew(message, start)).sort((one, other) => timeOf(one) - timeOf(other));
    const events = found.map((message) => ({ id: textAt(message, 'id') ?? '', data: toMessage(message) }));
    if (!isComplete) return { events, cursor: { ...seen, link }, isMore: true };
    return { events, cursor: { ...seen, link, since: now } };
  },
});

/** The filter excludes all earlier messages, which would otherwise be in the first pages. */
function changesSince(place: Input, since: number): HttpRequest {
  const path = expandPath('/v1.0/teams/{team_id}/channels/{channel_id}/messages/delta', { ...place });
  const query = { $filter: `lastModifiedDateTime gt ${new Date(since).toISOString()}`, $top: PAGE };
  return { method: 'GET', path, query };
}

/** Returns undefined if the link is too old. */
async function read(http: Http, request: HttpRequest) {
  const messages: JsonValue[] = [];
  let characters = 0;
  let last: JsonValue = null;
  try {
    for await (last of http.pages(request, MAX_PAGES, wholePages)) {
      messages.push(...listAt(last, 'value'));
      characters += JSON.stringify(last).length;
      if (characters > MAX_CHARACTERS) break;
    }
  } catch (error) {
    if (error instanceof ProviderError && error.status === 410) return undefined;
    throw error;
  }
  const end = textAt(last, '@odata.deltaLink');
  return { messages, link: pathOfLink(end ?? textAt(last, '@odata.nextLink')), isComplete: end !== undefined };
}

const timeOf = (message: JsonValue): number => Date.parse(textAt(message, 'createdDateTime') ?? '');

/** System messages, for example about a new member, and deleted messages are not events. */
function isNew(message: JsonValue, start: number): boolean {
  const isDeleted = textAt(message, 'deletedDateTime') !== undefined;
  return member(message, 'messageType') === 'message' && !isDeleted && timeOf(message) >= start;
}
