import { action, checkbox, dropdown, longText, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { CHANNEL, channels } from '../options.js';
import { guild, slowmode } from '../properties.js';
import { SNOWFLAKE } from '../snowflake.js';

const TYPES = [
  { label: 'Text', value: CHANNEL.text },
  { label: 'Voice', value: CHANNEL.voice },
  { label: 'Category', value: CHANNEL.category },
  { label: 'Announcement', value: CHANNEL.announcement },
  { label: 'Stage', value: CHANNEL.stage },
  { label: 'Forum', value: CHANNEL.forum },
];

/** Creates a channel or a category in a server: https://docs.discord.com/developers/resources/guild#create-guild-channel */
export const createChannel = action({
  displayName: 'Create channel',
  description: 'Creates a channel or a category in a server. Returns it with its id.',
  category: 'write',
  adds: true,
  props: {
    guild_id: guild,
    name: shortText('Name', { required: true, minLength: 1, maxLength: 100 }),
    type: staticDropdown('Type', TYPES, {
      description: 'Defaults to text. Announcement, stage and forum need a community server.',
    }),
    topic: longText('Topic', { description: 'Shown above the messages of the channel.', maxLength: 1024 }),
    parent_id: dropdown('Category', {
      description: 'The id of the category that contains the channel.',
      refreshers: ['guild_id'],
      options: channels([CHANNEL.category]),
      pattern: SNOWFLAKE,
      maxLength: 20,
    }),
    nsfw: checkbox('Age-restricted', { description: 'Hides the channel from users below 18 years.' }),
    rate_limit_per_user: number('Slow mode', slowmode),
  },
  call: {
    method: 'POST',
    path: '/api/v10/guilds/{guild_id}/channels',
    body: ['name', 'type', 'topic', 'parent_id', 'nsfw', 'rate_limit_per_user'],
  },
});
