import { shortText, textAt, trigger } from '@drawbridge/piece-kit';
import { eventOf, inbound } from '../inbound.js';
import { anyChannel } from '../properties.js';

/** Runs when an emoji is added to a message in a channel that the app is a member of: https://docs.slack.dev/reference/events/reaction_added */
export const reactionAdded = trigger({
  ...inbound,
  kind: 'app-webhook',
  displayName: 'Reaction added',
  description: 'Runs when an emoji is added to a message in a channel that the app is a member of.',
  props: {
    channel: anyChannel,
    reaction: shortText('Emoji', {
      description: 'Emoji name without colons, such as eyes. Defaults to any emoji.',
      maxLength: 100,
    }),
  },
  sample: {
    type: 'reaction_added',
    user: 'U0123456789',
    reaction: 'eyes',
    item_user: 'U9876543210',
    item: { type: 'message', channel: 'C0123456789', ts: '1767225600.000100' },
    event_ts: '1767225660.000200',
    team_id: 'T0123456789',
    event_time: 1_767_225_660,
  },
  events: (request, { channel, reaction }) => {
    const event = eventOf(request, 'reaction_added');
    if (!event || (channel && channel !== textAt(event.data, 'item', 'channel'))) return [];
    return reaction && reaction !== event.data['reaction'] ? [] : [event];
  },
});
