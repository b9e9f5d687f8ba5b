import { action } from '@drawbridge/piece-kit';
import { guild, role, user } from '../properties.js';

/** Assigns a role to a member of a server: https://docs.discord.com/developers/resources/guild#add-guild-member-role */
export const addRole = action({
  displayName: 'Add role',
  description: 'Gives a role to a member of a server, with the permissions of that role.',
  category: 'admin',
  idempotent: true,
  recipients: ['user_id'],
  props: { guild_id: guild, user_id: user, role_id: role },
  call: { method: 'PUT', path: '/api/v10/guilds/{guild_id}/members/{user_id}/roles/{role_id}' },
});
