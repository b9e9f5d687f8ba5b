import { trigger } from '@drawbridge/piece-kit';
import { inbound } from '../inbound.js';
import { writtenMessage } from '../messages.js';
import { anyChannel, bots } from '../properties.js';

/**
 * Runs when a message is posted in a public or private channel that the app is a member of: https://docs.slack.dev/reference/events/message.channels
 */
export const newMessage = trigger({
  ...inbound,
  kind: 'app-webhook',
  displayName: 'New message',
  description: 'Runs when a message is posted in a public or private channel that the app is a member of.',
  props: { channel: anyChannel, bots },
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
  events: (request, { channel, bots: withBots = false }) => {
    const event = writtenMessage(request, withBots);
    if (!event) return [];
    // Direct messages are not messages of a channel, unless their conversation was selected.
    const isWanted = channel ? channel === event.data['channel'] : event.data['channel_type'] !== 'im';
    return isWanted ? [event] : [];
  },
});
