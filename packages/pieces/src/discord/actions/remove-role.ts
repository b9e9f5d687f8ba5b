import { action } from '@drawbridge/piece-kit';
import { guild, role, user } from '../properties.js';

/** Removes a role from a member of a server: https://docs.discord.com/developers/resources/guild#remove-guild-member-role */
export const removeRole = action({
  displayName: 'Remove role',
  description: 'Takes a role from a member of a server, with the permissions of that role.',
  category: 'admin',
  idempotent: true,
  recipients: ['user_id'],
  props: { guild_id: guild, user_id: user, role_id: role },
  call: { method: 'DELETE', path: '/api/v10/guilds/{guild_id}/members/{user_id}/roles/{role_id}' },
});
