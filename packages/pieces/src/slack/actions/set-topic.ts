import { action, shortText } from '@drawbridge/piece-kit';
import { channel } from '../properties.js';

/** Replaces the topic of a channel that the bot is a member of: https://docs.slack.dev/reference/methods/conversations.setTopic */
export const setTopic = action({
  displayName: 'Set topic',
  description: 'Replaces the topic of a channel that the bot is a member of.',
  category: 'write',
  idempotent: true,
  props: {
    channel,
    topic: shortText('Topic', { required: true, description: 'Plain text. Empty removes the topic.', maxLength: 250 }),
  },
  call: { method: 'POST', path: '/api/conversations.setTopic', form: ['channel', 'topic'] },
});
