import {
  expandPath,
  type HttpRequest,
  type JsonValue,
  listOptions,
  type LoadOptions,
  member,
  type PropertyContext,
  textAt,
} from '@drawbridge/piece-kit';
import { ascending, onePage } from './paging.js';
import { SNOWFLAKE } from './snowflake.js';

const GUILDS = 200;
const MEMBERS = 100;
/** Maximum number of channels that a server can have. It can have 250 roles. */
const MOST = 500;

/** The types of channels: https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
export const CHANNEL = { text: 0, voice: 2, category: 4, announcement: 5, stage: 13, forum: 15 } as const;

/** The types of channels that contain messages, and of channels that contain threads. */
export const WITH_MESSAGES = [CHANNEL.text, CHANNEL.announcement, CHANNEL.voice, CHANNEL.stage];
export const WITH_THREADS = [CHANNEL.text, CHANNEL.announcement, CHANNEL.forum];

export const guilds: LoadOptions = ({ http }) =>
  listOptions(
    http,
    { method: 'GET', path: '/api/v10/users/@me/guilds', query: { limit: GUILDS } },
    { limit: 1_000, paging: ascending(GUILDS, 'id') },
  );

/** Lists the channels of these types in the selected server. Discord does not return threads in this list. */
export function channels(types: readonly number[]): LoadOptions {
  return ofGuild('channels', (channel) => {
    const name = textAt(channel, 'name');
    return name && types.includes(Number(member(channel, 'type'))) ? `#${name}` : undefined;
  });
}

/** Lists the roles that can be assigned. Omits the role with the id of the server, which everyone has, and roles that apps manage. */
export const roles: LoadOptions = (context) =>
  ofGuild('roles', (role) => {
    const isGiven = textAt(role, 'id') !== context.input['guild_id'] && member(role, 'managed') !== true;
    return isGiven ? textAt(role, 'name') : undefined;
  })(context);

/** Lists some members of the selected server. With a search, lists the members with names that begin with it. */
export const members: LoadOptions = (context) => {
  const { search } = context;
  const query = search ? { query: search.slice(0, 100), limit: MEMBERS } : { limit: MEMBERS };
  return ofGuild(search ? 'members/search' : 'members', nameOf, { query, value: 'user.id' })(context);
};

function nameOf(item: JsonValue): string | undefined {
  const username = textAt(item, 'user', 'username');
  const name = textAt(item, 'nick') ?? textAt(item, 'user', 'global_name') ?? username;
  return username && `${name} (@${username})`;
}

interface Details extends Pick<HttpRequest, 'query'> {
  value?: string;
}

/** Lists items of the selected server. Disabled until a server is selected. */
function ofGuild(list: string, label: (item: JsonValue) => string | undefined, { query, value }: Details = {}) {
  return async ({ http, input: { guild_id } }: PropertyContext) => {
    if (typeof guild_id !== 'string' || !new RegExp(SNOWFLAKE).test(guild_id)) return { options: [], disabled: true };
    const path = expandPath(`/api/v10/guilds/{guild_id}/${list}`, { guild_id });
    return listOptions(http, { method: 'GET', path, query }, { label, value, limit: MOST, paging: onePage });
  };
}
