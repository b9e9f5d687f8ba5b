import {
  expandPath,
  type Http,
  type HttpRequest,
  type JsonValue,
  listAt,
  type Polled,
  ProviderError,
  textAt,
  trigger,
  type TriggerContext,
} from '@drawbridge/piece-kit';
import { pathOfLink, wholePages } from '../../microsoft.js';
import { toMessage } from '../messages.js';
import { channel, team } from '../properties.js';

/** Where the next poll continues, and the time of the first poll. */
type Cursor = { link: string; since: number };

/** A poll reads at most this many pages of 50 messages; the next one continues. */
const MAX_PAGES = 20;

/** https://learn.microsoft.com/graph/api/chatmessage-delta: changed messages too, of which only new ones are events. */
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
  poll: async ({
    http,
    input,
    cursor,
  }: TriggerContext<{ team_id: string; channel_id: string }> & { cursor: JsonValue | undefined }): Promise<Polled> => {
    const seen = cursor as Cursor | undefined;
    const changes = seen && (await read(http, { method: 'GET', path: seen.link }));
    if (!changes) return { events: [], cursor: await start(http, input) };
    const events = changes.messages.flatMap((message) => {
      const id = textAt(message, 'id');
      const isNew = Date.parse(textAt(message, 'createdDateTime') ?? '') >= seen.since;
      return id && isNew && textAt(message, 'messageType') === 'message' ? [{ id, data: toMessage(message) }] : [];
    });
    return { events, cursor: { link: changes.link, since: seen.since }, ...(!changes.isComplete && { isMore: true }) };
  },
});

/** The filter excludes all earlier messages, which the first pages would have. */
async function start(http: Http, place: { team_id: string; channel_id: string }): Promise<Cursor> {
  const since = Date.now();
  const path = expandPath('/v1.0/teams/{team_id}/channels/{channel_id}/messages/delta', place);
  const query = { $filter: `lastModifiedDateTime gt ${new Date(since).toISOString()}`, $top: 50 };
  const changes = await read(http, { method: 'GET', path, query });
  if (!changes) throw new ProviderError('Microsoft returned no changes of the channel');
  return { link: changes.link, since };
}

/** Returns undefined if the link is too old. */
async function read(http: Http, request: HttpRequest) {
  const messages: JsonValue[] = [];
  let last: JsonValue = null;
  try {
    for await (last of http.pages(request, MAX_PAGES, wholePages)) messages.push(...listAt(last, 'value'));
  } catch (error) {
    if (error instanceof ProviderError && error.status === 410) return undefined;
    throw error;
  }
  const end = textAt(last, '@odata.deltaLink');
  return { messages, link: pathOfLink(end ?? textAt(last, '@odata.nextLink')), isComplete: end !== undefined };
}
