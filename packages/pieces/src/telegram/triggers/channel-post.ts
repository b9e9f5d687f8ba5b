import { trigger } from '@drawbridge/piece-kit';
import { botWebhook } from './bot-webhook.js';

/** Runs when a message is posted in a channel of which the bot is an administrator: https://core.telegram.org/bots/api#update */
export const channelPost = trigger({
  kind: 'webhook',
  displayName: 'Channel post',
  description: 'Runs when a message is posted in a channel of which the bot is an administrator.',
  props: {},
  sample: {
    message_id: 7,
    sender_chat: { id: -1001234567890, title: 'News', type: 'channel', username: 'news' },
    chat: { id: -1001234567890, title: 'News', type: 'channel', username: 'news' },
    date: 1769850000,
    text: 'Version 2 is here',
  },
  ...botWebhook('channel_post'),
});
