import { action, shortText } from '@drawbridge/piece-kit';
import { channel, messageTimestamp } from '../properties.js';

/** Adds an emoji to a message: https://docs.slack.dev/reference/methods/reactions.add */
export const addReaction = action({
  displayName: 'Add reaction',
  description: 'Adds an emoji to a message.',
  category: 'write',
  adds: true,
  props: {
    channel,
    timestamp: messageTimestamp,
    name: shortText('Emoji', {
      required: true,
      description: 'Emoji name without colons, such as thumbsup.',
      pattern: '^[^\\s:]+(::[^\\s:]+)?$',
      maxLength: 100,
    }),
  },
  call: { method: 'POST', path: '/api/reactions.add', form: ['channel', 'timestamp', 'name'] },
});
