import {
  expandPath,
  type Http,
  type JsonObject,
  type JsonValue,
  member,
  newSince,
  textAt,
  trigger,
} from '@drawbridge/piece-kit';
import { ascending } from '../paging.js';
import { bots, guild } from '../properties.js';

const PAGE = 1_000;
/** Exceeds the maximum that the paging of a list reads, so that a larger server causes an error instead of missing members. */
const LIMIT = 1_000_000;

/**
 * Members are ordered by user id, not by the time of joining, so each poll reads the whole list:
 * https://docs.discord.com/developers/resources/guild#list-guild-members
 */
export const newMember = trigger({
  kind: 'polling',
  displayName: 'New member',
  description:
    'Runs when someone joins a server. The app needs the intent "Server Members", and the server at most 100,000 members.',
  props: { guild_id: guild, bots: bots('bots that are added to the server') },
  sample: {
    user: { id: '53908232506183680', username: 'mason', global_name: 'Mason', discriminator: '0', avatar: null },
    nick: null,
    roles: [],
    joined_at: '2026-01-31T09:00:00.000000+00:00',
    pending: false,
    guild_id: '81384788765712384',
  },
  poll: newSince<{ guild_id: string; bots?: boolean }>({
    order: 'oldest first',
    list: ({ http, input }, since) => joinedSince(http, input.guild_id, since),
    time: (item) => textAt(item, 'joined_at'),
    // Includes the time of joining, because a user can leave and join again.
    id: (item) => [textAt(item, 'user', 'id'), textAt(item, 'joined_at')].join(' '),
    data: (item, { guild_id, bots: includesBots }) =>
      includesBots || member(item, 'user', 'bot') !== true ? { ...(item as JsonObject), guild_id } : undefined,
  }),
});

/**
 * Yields the members that joined since the time, in the order of joining. Without a time, yields the members of the newest time. Only these members
 * are stored in memory.
 */
async function* joinedSince(http: Http, guild_id: string, since?: Date): AsyncGenerator<JsonValue> {
  const request = {
    method: 'GET',
    path: expandPath('/api/v10/guilds/{guild_id}/members', { guild_id }),
    query: { limit: PAGE },
  };
  let start = since?.getTime() ?? 0;
  let found: JsonValue[] = [];
  for await (const item of http.pages(request, LIMIT, ascending(PAGE, 'user', 'id'))) {
    const time = joinedAt(item);
    if (!since && time > start) [start, found] = [time, []];
    if (time >= start) found.push(item);
  }
  yield* found.sort((one, other) => joinedAt(one) - joinedAt(other));
}

const joinedAt = (item: JsonValue): number => Date.parse(textAt(item, 'joined_at') ?? '');
