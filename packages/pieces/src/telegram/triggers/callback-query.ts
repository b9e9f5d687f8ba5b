import { trigger } from '@drawbridge/piece-kit';
import { botWebhook } from './bot-webhook.js';

/** Runs when a user presses a button below a message of the bot: https://core.telegram.org/bots/api#callbackquery */
export const callbackQuery = trigger({
  kind: 'webhook',
  displayName: 'Button pressed',
  description: 'Runs when a user presses a button below a message of the bot. Answer it with "Answer callback".',
  props: {},
  sample: {
    id: '4382bfdwdsb323b2d9',
    from: { id: 123456789, is_bot: false, first_name: 'Ada', username: 'ada' },
    message: { message_id: 42, chat: { id: 123456789, type: 'private' }, date: 1769850000, text: 'Deploy?' },
    chat_instance: '8428209589180549439',
    data: 'yes',
  },
  ...botWebhook('callback_query'),
});
