import {
  collect,
  expandPath,
  firstThatFit,
  type JsonObject,
  type JsonValue,
  listAt,
  member,
  textAt,
  trigger,
} from '@drawbridge/piece-kit';
import { ascending } from '../paging.js';
import { bots, channel, guildOfForm } from '../properties.js';

const PAGE = 100;
/** Maximum number of messages of one poll. The next poll continues after them. */
const LIMIT = 1_000;

/** The types of messages that users or bots write: default, reply and the two kinds of commands. Joins, pins and boosts also create messages. */
const WRITTEN = [0, 19, 20, 23];

/** Runs when a message is posted in a channel or a thread: https://docs.discord.com/developers/resources/message#get-channel-messages */
export const newMessage = trigger({
  kind: 'polling',
  displayName: 'New message',
  description:
    'Runs when a message is posted in a channel or a thread. Its text is empty unless the app has the intent "Message Content".',
  props: {
    guild_id: guildOfForm,
    channel_id: channel,
    bots: bots('messages of bots and webhooks'),
  },
  sample: {
    id: '334385199974967042',
    type: 0,
    channel_id: '155101607195836416',
    content: 'Hello',
    timestamp: '2026-01-31T09:00:00.000000+00:00',
    edited_timestamp: null,
    author: { id: '53908232506183680', username: 'mason', global_name: 'Mason', discriminator: '0', avatar: null },
    mentions: [],
    attachments: [],
    embeds: [],
  },
  // Ids increase with time, so the highest id is the cursor.
  poll: async ({ http, input, cursor }) => {
    const request = { method: 'GET', path: expandPath('/api/v10/channels/{channel_id}/messages', input) };
    if (cursor === undefined) {
      const newest = await http.json({ ...request, query: { limit: 1 } });
      return { events: [], cursor: textAt(listAt(newest), 0, 'id') ?? '0' };
    }
    const query = { after: String(cursor), limit: PAGE };
    const messages = await collect(http.pages({ ...request, query }, LIMIT, ascending(PAGE, 'id')));
    const { events, read } = firstThatFit(messages, (message) =>
      isEvent(message, input.bots) ? { id: textAt(message, 'id') ?? '', data: message as JsonObject } : undefined,
    );
    return { events, cursor: textAt(read.at(-1), 'id') ?? cursor };
  },
});

function isEvent(message: JsonValue, includesBots = false): boolean {
  const isBot = member(message, 'author', 'bot') === true || member(message, 'webhook_id') !== undefined;
  return WRITTEN.includes(Number(member(message, 'type'))) && (includesBots || !isBot);
}
