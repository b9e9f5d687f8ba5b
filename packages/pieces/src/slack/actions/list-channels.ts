import { action, checkbox, collect, staticMultiSelect } from '@drawbridge/piece-kit';
import { pickFields } from '../../pick-fields.js';
import { CHANNEL } from '../fields.js';
import { byCursor } from '../paging.js';
import { limit, raw } from '../properties.js';

/** Lists public channels, and private channels that the bot is a member of: https://docs.slack.dev/reference/methods/conversations.list */
export const listChannels = action({
  displayName: 'List channels',
  description: 'Lists the public channels of the workspace, and the private channels that the bot is a member of.',
  category: 'read',
  props: {
    types: staticMultiSelect(
      'Types',
      [
        { label: 'Public channels', value: 'public_channel' },
        { label: 'Private channels', value: 'private_channel' },
        { label: 'Group messages', value: 'mpim' },
        { label: 'Direct messages', value: 'im' },
      ],
      { description: 'Defaults to public and private channels. Direct messages have a user instead of a name.' },
    ),
    archived: checkbox('Include archived'),
    limit,
    raw,
  },
  run: async ({ http, input: { types = [], archived = false, limit: most = 100, raw: isRaw } }) => {
    const wanted = types.length > 0 ? types : ['public_channel', 'private_channel'];
    const query = { types: wanted.join(','), exclude_archived: !archived, limit: Math.min(most, 200) };
    const request = { method: 'GET', path: '/api/conversations.list', query };
    const channels = await collect(http.pages(request, most, byCursor('channels')));
    return isRaw ? channels : channels.map((channel) => pickFields(channel, CHANNEL));
  },
});
