import { trigger } from '@drawbridge/piece-kit';
import { eventOf, inbound } from '../inbound.js';

/** Runs when a public channel is created in the workspace: https://docs.slack.dev/reference/events/channel_created */
export const channelCreated = trigger({
  ...inbound,
  kind: 'app-webhook',
  displayName: 'Channel created',
  description: 'Runs when a public channel is created in the workspace.',
  props: {},
  sample: {
    type: 'channel_created',
    channel: {
      id: 'C0123456789',
      name: 'news',
      name_normalized: 'news',
      is_private: false,
      created: 1_767_225_600,
      creator: 'U0123456789',
    },
    event_ts: '1767225600.000100',
    team_id: 'T0123456789',
    event_time: 1_767_225_600,
  },
  events: (request) => {
    const event = eventOf(request, 'channel_created');
    return event ? [event] : [];
  },
});
