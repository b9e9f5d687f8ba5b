import { expandPath, type JsonValue, listAt, listOptions, type LoadOptions, textAt } from '@drawbridge/piece-kit';

const label = (one: Parameters<typeof textAt>[0]) => textAt(one, 'displayName');

/** Lists the teams that the connected user is a member of: https://learn.microsoft.com/graph/api/user-list-joinedteams */
export const teams: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/v1.0/me/joinedTeams' }, { label });

/** Lists the channels of the selected team: https://learn.microsoft.com/graph/api/channel-list */
export const channels: LoadOptions = async ({ http, input: { team_id } }) => {
  if (typeof team_id !== 'string' || !/^[0-9a-fA-F-]{36}$/.test(team_id)) return { options: [], disabled: true };
  const path = expandPath('/v1.0/teams/{team_id}/channels', { team_id });
  return listOptions(http, { method: 'GET', path, query: { $select: 'id,displayName' } }, { label });
};

/** Lists chats by their topics, or by the names of their members: https://learn.microsoft.com/graph/api/chat-list */
export const chats: LoadOptions = ({ http }) =>
  listOptions(
    http,
    { method: 'GET', path: '/v1.0/me/chats', query: { $expand: 'members', $top: 50 } },
    { label: (chat) => textAt(chat, 'topic') ?? (namesOf(chat) || textAt(chat, 'chatType')) },
  );

const namesOf = (chat: JsonValue): string =>
  listAt(chat, 'members')
    .flatMap((member) => label(member) ?? [])
    .join(', ');
