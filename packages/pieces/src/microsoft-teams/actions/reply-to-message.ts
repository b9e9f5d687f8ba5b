import { action, expandPath } from '@drawbridge/piece-kit';
import { toBody, toMessage } from '../messages.js';
import { channel, messageId, team, written } from '../properties.js';

/** Replies to a message in a channel: https://learn.microsoft.com/graph/api/chatmessage-post-replies */
export const replyToMessage = action({
  displayName: 'Reply to message',
  description: 'Replies to a message of a channel, in its thread. Returns the reply.',
  category: 'send',
  recipients: ['channel_id'],
  props: { team_id: team, channel_id: channel, message_id: messageId, ...written },
  run: async ({ http, input: { text, format, ...place } }) => {
    const path = expandPath('/v1.0/teams/{team_id}/channels/{channel_id}/messages/{message_id}/replies', place);
    return toMessage(await http.json({ method: 'POST', path, json: toBody({ text, format }) }));
  },
});
