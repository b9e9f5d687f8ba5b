import { trigger } from '@drawbridge/piece-kit';
import { inbound } from '../inbound.js';
import { writtenMessage } from '../messages.js';

/** Runs when a user writes to the app in a direct message: https://docs.slack.dev/reference/events/message.im */
export const directMessage = trigger({
  ...inbound,
  kind: 'app-webhook',
  displayName: 'Direct message',
  description: 'Runs when a user writes to the app in a direct message.',
  props: {},
  sample: {
    type: 'message',
    channel: 'D0123456789',
    channel_type: 'im',
    user: 'U0123456789',
    text: 'Hello',
    ts: '1767225600.000100',
    event_ts: '1767225600.000100',
    team_id: 'T0123456789',
    event_time: 1_767_225_600,
  },
  events: (request) => {
    // The app's responses in the conversation come from a bot. They must not start a workflow that responds.
    const event = writtenMessage(request, false);
    return event && event.data['channel_type'] === 'im' ? [event] : [];
  },
});
