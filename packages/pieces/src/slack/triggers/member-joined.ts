import { trigger } from '@drawbridge/piece-kit';
import { eventOf, inbound } from '../inbound.js';
import { anyChannel } from '../properties.js';

/** Runs when a user or a bot joins a channel that the app is a member of: https://docs.slack.dev/reference/events/member_joined_channel */
export const memberJoined = trigger({
  ...inbound,
  kind: 'app-webhook',
  displayName: 'Member joined',
  description: 'Runs when a user or a bot joins a channel that the app is a member of.',
  props: { channel: anyChannel },
  sample: {
    type: 'member_joined_channel',
    user: 'U0123456789',
    channel: 'C0123456789',
    channel_type: 'C',
    team: 'T0123456789',
    inviter: 'U9876543210',
    event_ts: '1767225600.000100',
    team_id: 'T0123456789',
    event_time: 1_767_225_600,
  },
  events: (request, { channel }) => {
    const event = eventOf(request, 'member_joined_channel');
    return !event || (channel && channel !== event.data['channel']) ? [] : [event];
  },
});
