import { action, dateTime, expandPath, type JsonObject, textAt } from '@drawbridge/piece-kit';
import { itemLimit } from '../../item-limit.js';
import { toMessage } from '../messages.js';
import { descending } from '../paging.js';
import { channel, guildOfForm } from '../properties.js';
import { byAge, snowflakeOf } from '../snowflake.js';

const PAGE = 100;

/** Lists the messages of a channel or a thread: https://docs.discord.com/developers/resources/message#get-channel-messages */
export const listMessages = action({
  displayName: 'List messages',
  description:
    'Lists the messages of a channel or a thread, newest first. The texts of others are empty unless the app has the intent "Message Content".',
  category: 'read',
  props: {
    guild_id: guildOfForm,
    channel_id: channel,
    from: dateTime('From'),
    until: dateTime('Until', { description: 'Messages before this time.' }),
    limit: itemLimit({ defaultsTo: 50, maximum: 1_000 }),
  },
  run: async ({ http, input: { channel_id, from, until, limit = 50 } }) => {
    const path = expandPath('/api/v10/channels/{channel_id}/messages', { channel_id });
    const size = Math.min(limit, PAGE);
    const query = { limit: size, ...(until && { before: snowflakeOf(until) }) };
    const first = from && snowflakeOf(from);
    const messages: JsonObject[] = [];
    for await (const message of http.pages({ method: 'GET', path, query }, limit, descending(size))) {
      if (first && byAge(textAt(message, 'id') ?? '', first) < 0) break;
      messages.push(toMessage(message));
    }
    return messages;
  },
});
