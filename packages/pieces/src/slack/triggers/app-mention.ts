import { trigger } from '@drawbridge/piece-kit';
import { eventOf, inbound } from '../inbound.js';
import { isFromBot } from '../messages.js';
import { anyChannel, bots } from '../properties.js';

/** Runs when a message mentions the app in a channel that the app is a member of: https://docs.slack.dev/reference/events/app_mention */
export const appMention = trigger({
  ...inbound,
  kind: 'app-webhook',
  displayName: 'App mentioned',
  description: 'Runs when a message mentions the app (@app) in a channel that the app is a member of.',
  props: { channel: anyChannel, bots },
  sample: {
    type: 'app_mention',
    channel: 'C0123456789',
    user: 'U0123456789',
    text: '<@U9876543210> what is new?',
    ts: '1767225600.000100',
    event_ts: '1767225600.000100',
    team_id: 'T0123456789',
    event_time: 1_767_225_600,
  },
  events: (request, { channel, bots: withBots = false }) => {
    const event = eventOf(request, 'app_mention');
    if (!event || (channel && channel !== event.data['channel'])) return [];
    return isFromBot(event) && !withBots ? [] : [event];
  },
});
