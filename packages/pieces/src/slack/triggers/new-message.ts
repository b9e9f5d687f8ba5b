import { checkbox, textAt, trigger } from '@drawbridge/piece-kit';
import { eventOf, inbound } from '../inbound.js';
import { anyChannel } from '../properties.js';

/** The subtypes that users or bots wrote. Edits, deletions and membership changes are messages too, with other subtypes. */
const WRITTEN = [undefined, 'file_share', 'thread_broadcast', 'me_message', 'bot_message'];

/** https://docs.slack.dev/reference/events/message.channels */
export const newMessage = trigger({
  ...inbound,
  kind: 'app-webhook',
  displayName: 'New message',
  description: 'Runs when a message is posted in a channel that the app is a member of.',
  props: {
    channel: anyChannel,
    bots: checkbox('Include bots', {
      description: 'Includes messages from bots. A workflow that posts in the same channel would then trigger itself.',
    }),
  },
  sample: {
    type: 'message',
    channel: 'C0123456789',
    channel_type: 'channel',
    user: 'U0123456789',
    text: 'Hello',
    ts: '1767225600.000100',
    team_id: 'T0123456789',
    event_time: 1_767_225_600,
  },
  events: (request, { channel, bots = false }) => {
    const event = eventOf(request, 'message');
    if (!event || !WRITTEN.includes(textAt(event.data, 'subtype'))) return [];
    if (channel && channel !== event.data['channel']) return [];
    const isBot = event.data['bot_id'] !== undefined;
    return isBot && !bots ? [] : [event];
  },
});
