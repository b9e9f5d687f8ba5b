import { action } from '@drawbridge/piece-kit';
import { guild, user } from '../properties.js';

/** Returns a member of a server: https://docs.discord.com/developers/resources/guild#get-guild-member */
export const getMember = action({
  displayName: 'Get member',
  description: 'Reads a member of a server: names, roles and the time of joining.',
  category: 'read',
  props: { guild_id: guild, user_id: user },
  call: { method: 'GET', path: '/api/v10/guilds/{guild_id}/members/{user_id}' },
});
