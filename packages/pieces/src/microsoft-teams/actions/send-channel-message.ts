import { action, expandPath, shortText } from '@drawbridge/piece-kit';
import { toBody, toMessage } from '../messages.js';
import { channel, importance, team, written } from '../properties.js';

/** Posts a message to a channel as the connected user: https://learn.microsoft.com/graph/api/channel-post-messages */
export const sendChannelMessage = action({
  displayName: 'Send channel message',
  description: 'Posts a message to a channel as the connected user, and returns its id.',
  category: 'send',
  recipients: ['channel_id'],
  props: {
    team_id: team,
    channel_id: channel,
    ...written,
    subject: shortText('Subject', { description: 'A title above the message.', maxLength: 250 }),
    importance,
  },
  run: async ({ http, input: { team_id, channel_id, ...message } }) => {
    const path = expandPath('/v1.0/teams/{team_id}/channels/{channel_id}/messages', { team_id, channel_id });
    return toMessage(await http.json({ method: 'POST', path, json: toBody(message) }));
  },
});
