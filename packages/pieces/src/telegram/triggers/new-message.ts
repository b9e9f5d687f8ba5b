import { trigger } from '@drawbridge/piece-kit';
import { botWebhook } from './bot-webhook.js';

/** Runs when a user writes to the bot, or in a group that the bot can read: https://core.telegram.org/bots/api#message */
export const newMessage = trigger({
  kind: 'webhook',
  displayName: 'New message',
  description: 'Runs when a user writes to the bot, or in a group that the bot can read.',
  props: {},
  sample: {
    message_id: 42,
    from: { id: 123456789, is_bot: false, first_name: 'Ada', username: 'ada' },
    chat: { id: 123456789, type: 'private', first_name: 'Ada', username: 'ada' },
    date: 1769850000,
    text: 'Hello',
  },
  ...botWebhook('message'),
});
