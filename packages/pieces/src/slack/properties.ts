import { checkbox, dropdown, json, longText, shortText } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { channels } from './options.js';

const CHANNEL = 'The id (C…).';

export const channel = dropdown('Channel', { required: true, description: CHANNEL, options: channels });
export const anyChannel = dropdown('Channel', {
  description: `${CHANNEL} Defaults to all channels.`,
  options: channels,
});

const TIMESTAMP = { pattern: '^\\d{1,12}\\.\\d{1,9}$' } as const;

export const messageTimestamp = shortText('Message', {
  required: true,
  description: '"ts" of the message, such as 1767225600.000100.',
  ...TIMESTAMP,
});

export const thread = shortText('Thread', {
  description: '"ts" of the message to reply to.',
  ...TIMESTAMP,
});

export const text = longText('Text', {
  required: true,
  description: 'Slack markup: *bold*, _italic_, <https://acme.example|a link>, <@U0123456789>.',
  minLength: 1,
  maxLength: 40_000,
});

export const blocks = json('Blocks', {
  description: 'Block Kit layout, shown instead of the text. Notifications show the text.',
  schema: { type: 'array', items: { type: 'object' }, maxItems: 50 },
});

export const replyBroadcast = checkbox('Also send to channel', {
  description: 'Also shows a reply of a thread in the channel.',
});

export const preview = {
  unfurl_links: checkbox('Preview links'),
  unfurl_media: checkbox('Preview media'),
};

export const bots = checkbox('Include bots', {
  description: 'Includes messages from bots. A workflow that posts in the same channel would then trigger itself.',
});

export const limit = itemLimit({ defaultsTo: 100, maximum: 1_000 });

export const raw = checkbox('Raw', {
  description: 'Returns whole objects instead of their most used fields.',
});
